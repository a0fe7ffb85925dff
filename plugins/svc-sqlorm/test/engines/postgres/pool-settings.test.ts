/** The limits of a pool: defaults, and pairs of which one would never act. */
import { BootError } from 'svc-kernel'
import t from 'tap'
import { poolSettings } from '../../../src/engines/postgres/pool-settings.ts'
import type { ConnectorOptions } from '../../../src/options.ts'

const AT = 'svc-sqlorm.connectors.main'

function problemsOf(options: Omit<ConnectorOptions, 'url'>): readonly (readonly unknown[])[] {
  try {
    poolSettings({ url: 'postgres://h/d', ...options }, AT)
    return []
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return error.problems.map(({ code, at, got, expected }) => [code, at, got, expected])
  }
}

t.test('defaults', async (t) => {
  t.strictSame(poolSettings({ url: 'postgres://h/d' }, AT), {
    poolSize: 10,
    poolMin: 0,
    idleTimeoutMs: 10_000,
    maxLifetimeS: null,
    keepAlive: true,
    limits: { statementTimeoutMs: 30_000, lockTimeoutMs: null, idleInTransactionTimeoutMs: null }
  })
})

const at = (key: string) => `${AT}.${key}`

const CASES: readonly (readonly [Omit<ConnectorOptions, 'url'>, readonly (readonly unknown[])[]])[] = [
  [{ poolMin: 10 }, []],
  [{ poolMin: 11 }, [['SVC_SQLORM_POOL', at('poolMin'), '11', 'at most poolSize, 10']]],
  [{ poolMin: 3, poolSize: 2 }, [['SVC_SQLORM_POOL', at('poolMin'), '3', 'at most poolSize, 2']]],
  [{ lockTimeoutMs: 29_999 }, []],
  [{ lockTimeoutMs: 30_000 }, [['SVC_SQLORM_POOL', at('lockTimeoutMs'), '30000', 'below 30000']]],
  [{ lockTimeoutMs: 30_000, statementTimeoutMs: 30_001 }, []],
  [{ maxLifetimeS: 11 }, []],
  [{ maxLifetimeS: 10 }, [['SVC_SQLORM_POOL', at('idleTimeoutMs'), '10000', 'below 10000']]],
  [
    { poolMin: 2, poolSize: 1, lockTimeoutMs: 9, statementTimeoutMs: 9 },
    [
      ['SVC_SQLORM_POOL', at('poolMin'), '2', 'at most poolSize, 1'],
      ['SVC_SQLORM_POOL', at('lockTimeoutMs'), '9', 'below 9']
    ]
  ]
]

for (const [options, problems] of CASES) {
  t.test(JSON.stringify(options), async (t) => t.strictSame(problemsOf(options), problems))
}
