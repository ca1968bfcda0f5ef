import { PeerFolder } from '../shared/install.ts'

/** The durable engines that are measured beside Tusk, and a newer Node, as they need one. */
export const durableFolder = new PeerFolder('durable')
