"""A Trainer with a loss of its own, label smoothing by hand and a checkpointed BERT.

packages: transformers, accelerate
"""
import tempfile

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

torch.manual_seed(0)
config = BertConfig(
    vocab_size=30, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
    intermediate_size=32, max_position_embeddings=16, num_labels=3,
)
model = BertForSequenceClassification(config)
rows = []
for _ in range(16):
    ids = torch.randint(1, 30, (8,))
    rows.append({"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids[0] % 3})


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = F.cross_entropy(outputs.logits, labels, weight=torch.tensor([1.0, 2.0, 1.0]), label_smoothing=0.1)
        return (loss, outputs) if return_outputs else loss


with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder, per_device_train_batch_size=4, num_train_epochs=2, learning_rate=1e-3, warmup_steps=2,
        max_grad_norm=0.5, gradient_checkpointing=True, save_strategy="epoch", report_to=[], use_cpu=True,
        disable_tqdm=True, dataloader_pin_memory=False,
    )
    trainer = Weighted(model=model, args=arguments, train_dataset=rows)
    print(round(trainer.train().training_loss, 3))
    print(trainer.predict(rows).predictions.argmax(-1).tolist())
