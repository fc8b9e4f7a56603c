"""Trains a tiny GPT-2 with the Trainer, with evaluation and gradient accumulation.

packages: transformers, accelerate
"""
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

torch.manual_seed(0)


class Periods(torch.utils.data.Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, i):
        ids = (torch.arange(12) + i) % 8 + 1
        return {"input_ids": ids, "labels": ids.clone()}


model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_positions=32, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0))
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder, per_device_train_batch_size=4, gradient_accumulation_steps=2, num_train_epochs=2,
        learning_rate=1e-2, logging_steps=1, eval_strategy="epoch", save_strategy="no", report_to=[],
        use_cpu=True, dataloader_num_workers=0, disable_tqdm=True, seed=0, dataloader_pin_memory=False,
    )
    trainer = Trainer(model=model, args=arguments, train_dataset=Periods(), eval_dataset=Periods())
    result = trainer.train()
    print(round(result.training_loss, 3), round(trainer.evaluate()["eval_loss"], 3))
