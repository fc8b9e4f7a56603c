import torch

grid = torch.zeros(3, 3, dtype=torch.int64)
for i in range(3):
    for j in range(3):
        grid[i, j] = i * 10 + j
best = None
for row in grid:
    if row[1] > 5 and best is None:
        best = row
for index, value in enumerate(grid.flatten()):
    if value == 21:
        print("found", index, value)
grid[grid % 2 == 0] *= -1
print(grid, best, [int(v) for v in grid[:, 0]], sum(int(r.sum()) for r in grid))
while (grid < 0).any():
    grid[grid < 0] += 20
print(grid)
