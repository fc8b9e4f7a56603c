import torch
import torch.nn as nn
import torch.nn.functional as F


class SAGELayer(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.self_lin, self.neigh_lin = nn.Linear(n_in, n_out), nn.Linear(n_in, n_out, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add(0, dst, x[src])
        deg = torch.zeros(len(x)).index_add(0, dst, torch.ones(len(dst))).clamp(min=1)
        return self.self_lin(x) + self.neigh_lin(agg / deg[:, None])


class InnerProductDecoder(nn.Module):
    def forward(self, z, edge_index, sigmoid=True):
        value = (z[edge_index[0]] * z[edge_index[1]]).sum(dim=1)
        return torch.sigmoid(value) if sigmoid else value


class GAE(nn.Module):
    def __init__(self, n_in, hidden=24, latent=12):
        super().__init__()
        self.conv1, self.conv2 = SAGELayer(n_in, hidden), SAGELayer(hidden, latent)
        self.decoder = InnerProductDecoder()

    def encode(self, x, edge_index):
        return self.conv2(F.relu(self.conv1(x, edge_index)), edge_index)

    def decode(self, z, edge_index):
        return self.decoder(z, edge_index)


def negative_sampling(num_nodes, k):
    return torch.randint(num_nodes, (2, k))


def community_graph(n=80, groups=4):
    member = torch.arange(n) % groups
    prob = torch.where(member[:, None] == member[None, :], torch.tensor(0.25), torch.tensor(0.01))
    adj = torch.triu(torch.rand(n, n) < prob, diagonal=1)
    edges = adj.nonzero().t()
    edges = edges[:, torch.randperm(edges.size(1))]
    cut = int(0.85 * edges.size(1))
    feats = F.one_hot(member, groups).float() + 0.8 * torch.randn(n, groups)
    return feats, edges[:, :cut], edges[:, cut:]


def auc(pos, neg):
    return (pos[:, None] > neg[None, :]).float().mean().item()


class LinkTrainer:
    def __init__(self, model, lr=0.01):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.BCEWithLogitsLoss()

    def step(self, x, train_edges):
        self.model.train()
        message = torch.cat([train_edges, train_edges.flip(0)], dim=1)
        z = self.model.encode(x, message)
        neg = negative_sampling(len(x), train_edges.size(1))
        pred = self.model.decode(z, torch.cat([train_edges, neg], dim=1))
        label = torch.cat([torch.ones(train_edges.size(1)), torch.zeros(neg.size(1))])
        loss = self.criterion(pred, label)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def test(self, x, train_edges, test_edges):
        self.model.eval()
        z = self.model.encode(x, torch.cat([train_edges, train_edges.flip(0)], dim=1))
        return auc(self.model.decode(z, test_edges), self.model.decode(z, negative_sampling(len(x), 60)))


if __name__ == "__main__":
    torch.manual_seed(14)
    x, train_edges, test_edges = community_graph()
    trainer = LinkTrainer(GAE(x.size(1)))
    for epoch in range(15):
        loss = trainer.step(x, train_edges)
        if epoch % 5 == 4:
            print("epoch %d loss %.4f auc %.3f" % (epoch, loss, trainer.test(x, train_edges, test_edges)))
