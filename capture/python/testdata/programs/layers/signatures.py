import inspect
from torch import nn
import torch.nn.functional as F

for layer in (nn.Linear, nn.Conv2d, nn.ConvTranspose1d, nn.MaxPool2d, nn.AvgPool1d, nn.AvgPool3d, nn.LPPool2d, nn.ReflectionPad1d, nn.ConstantPad2d, nn.BatchNorm2d, nn.InstanceNorm1d, nn.LayerNorm, nn.GroupNorm, nn.RMSNorm, nn.Dropout, nn.AlphaDropout,
              nn.ELU, nn.Hardtanh, nn.RReLU, nn.Softplus, nn.PReLU, nn.Threshold, nn.Softmax, nn.Embedding, nn.EmbeddingBag, nn.RNNCell, nn.RNNBase, nn.MultiheadAttention, nn.TransformerEncoderLayer, nn.TransformerDecoder, nn.CrossEntropyLoss,
              nn.BCEWithLogitsLoss, nn.GaussianNLLLoss, nn.PoissonNLLLoss, nn.TripletMarginLoss, nn.CTCLoss, nn.HuberLoss, nn.KLDivLoss, nn.Upsample, nn.Flatten, nn.Fold, nn.LazyConv1d, nn.PairwiseDistance, nn.AdaptiveLogSoftmaxWithLoss, nn.MaxUnpool2d, nn.AdaptiveMaxPool1d):
    def plain(f):
        return [(p.name, "required" if p.default is p.empty else getattr(p.default, "__name__", p.default), p.kind.name) for p in inspect.signature(f).parameters.values()]
    print(layer.__name__, plain(layer.__init__)[1:], [n for n, *_ in plain(layer.forward)], layer.__module__)
for f in (F.relu, F.dropout, F.cross_entropy, F.softmax, F.layer_norm, F.batch_norm, F.embedding, F.interpolate, F.pad, F.normalize, F.huber_loss, F.gumbel_softmax, F.max_unpool2d, F.grid_sample, F.lp_pool2d, F.local_response_norm, F.triplet_margin_with_distance_loss):
    print(f.__name__, [(p.name, "required" if p.default is p.empty else p.default) for p in inspect.signature(f).parameters.values()])
for bad in (lambda: nn.Dropout(1, 2, 3), lambda: nn.MaxPool2d(stride=2), lambda: nn.MSELoss()(1), lambda: nn.ReLU(negative=True), lambda: nn.Conv2d(1, 2), lambda: F.relu(), lambda: F.dropout(p=1), lambda: F.relu(1, other=2), lambda: nn.Linear(2, 2)(1, 2), lambda: F.linear()):
    try:
        bad()
    except TypeError as e:
        print(e)
