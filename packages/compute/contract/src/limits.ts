/** Every limit of the compute contract that a caller can meet (compute.md §15). */
export const limits = Object.freeze({
  bodyBytesMax: 1_048_576,
  gpusMax: 64,
  maxDurationDays: 365,
  vcpuMax: 4_096,
  memoryGiBMax: 65_536,
  selectorsMax: 32,
  selectorValuesMax: 64,
  /** Letters of a label's key or value, as Kubernetes has them: prefix of 253, slash, name of 63. */
  labelMax: 317,
  modelMax: 64,
  productMax: 128,
  gangMax: 16,
  waitMsMax: 30_000,
  waitSecondsDefault: 20,
  tokenUsesMax: 1_000,
  tokenSecondsMin: 60,
  tokenSecondsMax: 604_800,
  tokenDefault: '1h',
  noteMax: 1_024,
});
