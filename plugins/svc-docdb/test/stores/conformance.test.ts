/** Every brick on a real engine: the suites that the memory stores pass too. */
import { BRICKS, type Brick, type StoreOf } from 'svc-stores'
import {
  auditStoreConformance,
  type ConformanceRunner,
  type ConformanceSubject,
  idempotencyStoreConformance,
  ManualClock,
  passkeysStoreConformance,
  sessionStoreConformance,
  tokensStoreConformance,
  totpStoreConformance,
  userStoreConformance,
  webhooksStoreConformance
} from 'svc-stores/conformance'
import t from 'tap'
import { documentStores } from '../../src/stores/provide-stores.ts'
import { documents } from '../support/documents.ts'
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
  audit: auditStoreConformance,
  idempotency: idempotencyStoreConformance
}

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
        }
      })
    })
  }

  for (const brick of BRICKS) await run(brick)
})
