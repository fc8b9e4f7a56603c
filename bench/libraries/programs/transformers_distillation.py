"""Distils a tiny BERT into a smaller one: soft labels, hidden states and hard labels.

packages: transformers
"""
import torch
import torch.nn.functional as F
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(0)
common = dict(vocab_size=30, num_attention_heads=2, intermediate_size=32, max_position_embeddings=16, num_labels=2)
teacher = BertForSequenceClassification(BertConfig(hidden_size=16, num_hidden_layers=2, **common)).eval()
student = BertForSequenceClassification(BertConfig(hidden_size=8, num_hidden_layers=1, **common))
project = torch.nn.Linear(8, 16, bias=False)
optimizer = torch.optim.AdamW(list(student.parameters()) + list(project.parameters()), lr=2e-3)
temperature = 2.0
for step in range(5):
    ids = torch.randint(1, 30, (6, 8))
    labels = ids[:, 0] % 2
    with torch.no_grad():
        taught = teacher(ids, output_hidden_states=True)
    learnt = student(ids, output_hidden_states=True)
    soft = F.kl_div(
        F.log_softmax(learnt.logits / temperature, -1), F.softmax(taught.logits / temperature, -1), reduction="batchmean"
    ) * temperature**2
    inside = F.mse_loss(project(learnt.hidden_states[-1]), taught.hidden_states[-1])
    loss = soft + 0.5 * inside + F.cross_entropy(learnt.logits, labels)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
