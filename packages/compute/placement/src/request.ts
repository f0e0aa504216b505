/** One expression on node labels or on `gpu.model`, `gpu.product`, `gpu.memoryGiB`, `node.id`, `node.region` (compute.md §5.1). */
export interface Selector {
  key: string;
  op: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Gte' | 'Lt' | 'Lte';
  values?: readonly string[];
}

/** `count` whole GPUs of one kind. `count` 0 asks for host resources only, on one node. */
export interface DeviceRequest {
  count: number;
  model?: string;
  product?: string;
  /** All GPUs of this request in one NVLink domain, which may span nodes. */
  nvlink: boolean;
  selector: readonly Selector[];
}

/** What is asked of a pool (compute.md §5.1). Times are epoch milliseconds. */
export interface PlacementRequest {
  /** More than one = a gang: all or none, in the same window. */
  requests: readonly DeviceRequest[];
  /** In the past = from `now` on. */
  startsAt: number;
  durationMs: number;
  /** Host totals of the whole request; each GPU carries an equal part of it to the node it is on (thousandths of a vCPU and MiB, rounded up). */
  vcpu: number;
  memoryGiB: number;
  /** Each request takes nodes whole: every GPU, vCPU and GiB of them; its `count` is the sum of their GPUs. */
  wholeNodes?: boolean;
  /** May be pre-empted. */
  spot?: boolean;
}
