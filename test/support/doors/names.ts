export const doorNames = ['single', 'bulk', 'client', 'queues'] as const
export type DoorName = (typeof doorNames)[number]
