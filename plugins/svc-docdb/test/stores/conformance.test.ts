/** Every brick on a real engine: the suites that the memory stores pass too. */
import { setTimeout as pause } from 'node:timers/promises'
import { auditStoreConformance } from 'svc-audit/conformance'
import { startDocumentEngine } from 'svc-docdb-embedded'
import { jobStoreConformance, scheduleStoreConformance } from 'svc-jobs/conformance'
import type { Clock } from 'svc-kernel'
import { limitsStoreConformance } from 'svc-limits/conformance'
import { instancesStoreConformance } from 'svc-ops/conformance'
import { queueConformance } from 'svc-queue/conformance'
import {
  attemptsStoreConformance,
  idempotencyStoreConformance,
  passkeysStoreConformance,
  providerSessionsStoreConformance,
  sessionStoreConformance,
  tokensStoreConformance,
  totpStoreConformance,
  userStoreConformance
} from 'svc-security/conformance'
import { type ConformanceRunner, type ConformanceSubject, ManualClock } from 'svc-stores/conformance'
import { historyStoreConformance, webhooksStoreConformance } from 'svc-webhooks/conformance'
import t, { type Test } from 'tap'
import { documents } from '../support/documents.ts'
import { BRICKS, type Brick, documentStores, type StoreOf } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

type Suites = {
  readonly [Name in Brick]: (t: ConformanceRunner, subject: ConformanceSubject<StoreOf[Name]>) => unknown
}

const suites: Suites = {
  session: sessionStoreConformance,
  user: userStoreConformance,
  tokens: tokensStoreConformance,
  passkeys: passkeysStoreConformance,
  totp: totpStoreConformance,
  webhooks: webhooksStoreConformance,
  deliveries: (t, subject) => queueConformance(t, { ...subject, lanes: false }),
  history: historyStoreConformance,
  audit: auditStoreConformance,
  idempotency: idempotencyStoreConformance,
  providerSessions: providerSessionsStoreConformance,
  attempts: attemptsStoreConformance,
  limits: limitsStoreConformance,
  instances: instancesStoreConformance,
  jobs: jobStoreConformance,
  schedules: scheduleStoreConformance
}

/** On an engine of its own, which is ended and started again on the same port. */
async function unreachable<Name extends Brick>(t: Test, brick: Name, clock: Clock) {
  let engine = await startDocumentEngine()
  const { port } = engine
  t.teardown(() => engine.close())
  const uri = `mongodb://127.0.0.1:${port}/away?replicaSet=rs0&heartbeatFrequencyMS=500`
  const connection = connectionTo(t, { uri, selectionTimeoutMs: 300 })
  const store = documentStores[brick](connection, clock)
  await connection.open()
  await engine.close()
  const recover = async () => {
    engine = await startDocumentEngine({ port })
    for (let turn = 0; turn < 2000 && !(await connection.health()).connected; turn += 1) await pause(5)
  }
  return { store, recover }
}

t.setTimeout(300_000)

t.test('stores', { timeout: 300_000 }, async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri })
  for (const brick of BRICKS) documentStores[brick](connection, new ManualClock())
  await connection.open()
  t.ok(connection.connected, 'the engine is there')

  /** One set of indexes for all cases: only the documents are new each time. */
  async function empty(): Promise<void> {
    const { db } = connection.mongoose
    for (const { name } of (await db?.listCollections().toArray()) ?? []) await db?.collection(name).deleteMany({})
  }

  async function run<Name extends Brick>(brick: Name): Promise<void> {
    await t.test(brick, async (t) => {
      await suites[brick](t as ConformanceRunner, {
        makeStore: async ({ clock }) => {
          await empty()
          return documentStores[brick](connection, clock)
        },
        faults: { unreachable: ({ clock }) => unreachable(t, brick, clock) }
      })
    })
  }

  for (const brick of BRICKS) await run(brick)
})
