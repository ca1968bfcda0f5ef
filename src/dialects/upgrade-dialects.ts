import { type InstallPatience, patienceOptions } from '../db/install.ts'
import type { Target } from '../db/with-client.ts'
import { requireOptions } from '../lib/require-known.ts'
import { type DialectReport, installDialect } from './install-dialect.ts'
import { listDialects } from './list-dialects.ts'

/** Which installed dialects are brought to this version. */
export interface UpgradeDialectsOptions extends InstallPatience {
  /** The schema of the engine that they stand on, by default `tusk`. */
  readonly engineSchema?: string | undefined
}

/**
 * Brings the dialects over an engine to this version, and tells which were not. Their functions call
 * the engine's, so they belong after each upgrade of it. Those of a newer version are left alone.
 */
export async function upgradeDialects(
  target: Target,
  options: UpgradeDialectsOptions = {},
): Promise<DialectReport[]> {
  requireOptions('upgradeDialects()', options, { ...patienceOptions, engineSchema: true })
  const { engineSchema = 'tusk', ...patience } = options
  const reports: DialectReport[] = []
  for (const { name, schema, engine_schema, state } of await listDialects(target)) {
    if (engine_schema === engineSchema && state === 'behind')
      reports.push(
        await installDialect(target, { ...patience, dialect: name, schema, engineSchema }),
      )
  }
  return reports
}
