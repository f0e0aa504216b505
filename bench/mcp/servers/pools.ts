/** What the read tool answers in every server that answers something: one pool, as compute gives it. */
export const pools = {
  items: [
    {
      id: 'pool_bench',
      name: 'Bench pool',
      kind: 'gpu',
      placement: 'direct',
      labels: {},
      defaults: { vcpuPerGpu: 8, memoryGiBPerGpu: 64 },
      limits: { maxGpus: 64, maxDuration: '30d' },
      onNodeLoss: 'keep',
      nodeGraceSeconds: 300,
      allowUnlimited: false,
      flavors: {},
      images: [],
      operator: false,
      version: 1,
    },
  ],
  nextCursor: null,
};
