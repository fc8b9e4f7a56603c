"""LoRA adapters on a tiny LLaMA, trained with the Trainer and a checkpointed, frozen base.

packages: peft, transformers, accelerate
"""
import tempfile

import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=32, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
    num_key_value_heads=2, max_position_embeddings=32, use_cache=False,
)
model = LlamaForCausalLM(config)
model.enable_input_require_grads()
model = get_peft_model(model, LoraConfig(r=2, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"))
rows = [{"input_ids": (torch.arange(10) + i) % 9, "labels": (torch.arange(10) + i) % 9} for i in range(12)]
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder, per_device_train_batch_size=4, num_train_epochs=2, learning_rate=1e-2, report_to=[],
        gradient_checkpointing=True, use_cpu=True, save_strategy="no", logging_steps=2, disable_tqdm=True,
        dataloader_pin_memory=False,
    )
    print(round(Trainer(model=model, args=arguments, train_dataset=rows).train().training_loss, 3))
