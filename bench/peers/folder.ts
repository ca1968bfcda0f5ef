import { PeerFolder } from '../shared/install.ts'

/** graphile-worker, pg-boss, and a newer Node, as they need one. */
export const peerFolder = new PeerFolder('peers')
