import asyncio

import torch


async def step(x, n):
    for i in range(n):
        await asyncio.sleep(0)
        x = x * (i + 1)
    return x


async def main():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, b = await asyncio.gather(step(x, 3), step(x, 4))
    print(a, b)
    (a + b).sum().backward()
    print(x.grad)
    async with asyncio.Lock():
        return a @ torch.ones(3)


try:
    asyncio.run(main())
except RuntimeError as e:
    print("caught:", e)
asyncio.run(main())
