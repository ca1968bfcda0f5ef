import type { KnownOptions } from '../../../lib/require-known.ts'
import type {
  JoinOptions,
  ReceiveOptions,
  SpawnOptions,
  StepOptions,
} from '../../../tasks/durable.ts'
import { enqueueOptions } from '../../../tasks/enqueue-options.ts'

export const stepOptions: KnownOptions<StepOptions> = {
  maxAttempts: true,
  backoff: true,
  timeout: true,
  checkpoint: true,
  was: true,
  isNew: true,
}

export const receiveOptions: KnownOptions<ReceiveOptions> = { timeout: true, as: true }

const {
  on: _on,
  delay: _delay,
  parent: _parent,
  after: _after,
  afterFailure: _afterFailure,
  ...childOptions
} = enqueueOptions

export const spawnOptions: KnownOptions<SpawnOptions> = {
  ...childOptions,
  as: true,
  isDetached: true,
}

export const joinOptions: KnownOptions<JoinOptions & { readonly onFailure?: 'collect' }> = {
  mode: true,
  as: true,
  onFailure: true,
}
