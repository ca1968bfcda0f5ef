import { filesBehindDoor } from './support/doors/files.ts'
import { doorNames } from './support/doors/names.ts'

/**
 * The slow tier: what starts programs, browsers, clusters or workers by the dozen, and the long soaks. No rule of the
 * engine is tested here alone.
 */
export const slow: readonly string[] = [
  'test/stories/**/*.test.ts',
  'test/dashboard/*.test.ts',
  'test/embedded/**/*.test.ts',
  'test/testing/embedded.test.ts',
  'test/client/open.test.ts',
  'test/cli/**/*.test.ts',
  'test/security/**/*.test.ts',
  'test/pooler/**/*.test.ts',
  'test/tls/**/*.test.ts',
  'test/deploy/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/build/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  // Stand in for a module of Node, which works only where no other file has loaded what uses it.
  'test/docs/cli.test.ts',
  'test/worker/claim/claim-loop.test.ts',
  'test/outside/**/*.test.ts',
  'test/adapters/**/*.test.ts',
  'test/dialects/install.test.ts',
  'test/dialects/pg-task/**/*.test.ts',
  'test/dialects/pg-background/**/*.test.ts',
  'test/dialects/fetchq/{adopt,original,node-client,node-client-bell,crowd,at-once}.test.ts',
]

const all = 'test/**/*.test.ts'
const mutants = 'test/mutants/**/*.test.ts'
/** Takes minutes, and programs that only some machines have: npm run test:patroni. */
const patroni = 'test/patroni/**/*.test.ts'

/** What `npm test` and its sisters run, by the name of the vitest project. */
export const tiers = [
  { name: 'fast', include: [all], exclude: [...slow, mutants, patroni] },
  { name: 'slow', include: [...slow], exclude: [] },
  { name: 'mutants', include: [mutants], exclude: [] },
  { name: 'patroni', include: [patroni], exclude: [] },
  // test/engine through each door. The fast tier goes through the door `single` as well.
  ...doorNames.map((door) => ({
    name: `door-${door}`,
    include: filesBehindDoor(),
    exclude: [],
    env: { TUSK_TEST_DOOR: door },
  })),
]
