from torch import nn


class Empty(nn.Module):
    pass


class Shown(nn.Module):
    def __init__(self, text):
        super().__init__()
        self.text = text

    def extra_repr(self):
        return self.text


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(1, 2), Empty())
        self.none = None
        self.gone = nn.ReLU()
        self.gone = None
        self.list = nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh(), nn.Linear(1, 1), nn.Linear(1, 1)])
        self.dict = nn.ModuleDict({"a": Shown("x=1"), "b": nn.ModuleList()})

    def extra_repr(self):
        return "first line\nsecond line"


print(Empty(), Shown("k=3"))
print(Shown("one\ntwo"))
print(Both())
print(nn.Sequential(), nn.ModuleList(), nn.ModuleDict())
print(nn.Sequential(nn.Sequential(nn.Sequential(Shown("deep")))))
print(repr(nn.ModuleList([nn.Sequential(nn.ReLU(), nn.ReLU()), nn.Sequential(nn.ReLU(), nn.ReLU())])))
print(f"{nn.ReLU()!s:>10}", str(nn.Dropout(0.25)))
print(nn.Linear.__name__, type(nn.ReLU()), Both()._get_name())
print(nn.ReLU().forward.__name__, {"add_module", "bias", "forward", "weight"} <= set(dir(nn.Linear(1, 1))))
print("0" in dir(nn.Sequential(nn.ReLU())), "bias" in dir(nn.Linear(1, 1)))
