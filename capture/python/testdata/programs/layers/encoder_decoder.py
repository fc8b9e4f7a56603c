import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, 0.0, batch_first=True), num_layers=2, norm=nn.LayerNorm(4))
print(encoder)
src = torch.randn(2, 3, 4)
print(encoder(src))
mask = nn.Transformer.generate_square_subsequent_mask(3)
print(encoder(src, mask=mask, is_causal=True)[0])
padding = torch.tensor([[False, False, True], [False, False, False]])
print(encoder(src, src_key_padding_mask=padding)[0])
encoder.eval()
with torch.no_grad():
    print(encoder(src))
    print(encoder(src, src_key_padding_mask=padding))
torch.manual_seed(0)
model = nn.Transformer(d_model=4, nhead=2, num_encoder_layers=1, num_decoder_layers=2, dim_feedforward=5, dropout=0.0)
print(sum(p.numel() for p in model.parameters()), len(list(model.modules())), model.d_model, model.nhead, model.batch_first)
src, tgt = torch.randn(3, 1, 4), torch.randn(2, 1, 4, requires_grad=True)
out = model(src, tgt, tgt_mask=model.generate_square_subsequent_mask(2))
print(out)
(out * torch.arange(8.0).view_as(out)).sum().backward()
print(tgt.grad)
print(model.encoder.layers[0].linear2.weight.grad)
print(model.decoder.layers[1].norm3.weight.grad, model.decoder.norm)
for bad in (lambda: model(src, torch.ones(2, 3, 4)), lambda: model(src, torch.ones(2, 1, 3)), lambda: nn.TransformerEncoder(encoder.layers[0])):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 1)
