/** Lists, filters and purges of the tables that grow use their indexes, on both engines. */
import { CompiledQuery } from 'kysely'
import { ManualClock } from 'svc-stores/conformance'
import { anEntry } from 'svc-webhooks/conformance'
import t, { type Test } from 'tap'
import { CapturedLog } from '../support/captured-log.ts'
import { BRICKS, type Brick, type StoreOf } from '../support/every-store.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'
import { type Explain, explainPostgresOnce, explainSqlite, plansOf } from '../support/query-plans.ts'

const ROWS = 500
/** Written at once. */
const WRITERS = 10
const CURSOR = `${Date.UTC(2026, 0, 1) + 500}:aud_7`
/** A unit a minute, a hundred at once. */
const MINUTE = { intervalUs: 60_000_000, burst: 100 }
const JOB = { name: 'n', lane: 'l', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
/** Of every lane. */
const RULES = { limits: () => ({ concurrent: 5, rate: { max: 9, perS: 1, burst: 9 } }), later: () => undefined }
const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
const jobId = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
/** The first of each priority, then jobs of a lane. */
const CLAIMED = /_queue_holder_priority_dueAt[\s\S]+_queue_holder_endpointId_priority/
/** By its id, alone or behind its state. */
const ONE_JOB = /svc_job_(?:1\b|pkey|state_id)/
const BY_ID = /svc_\w+_1\b|svc_\w+_pkey/
/** Of jobs of the application, or of the system. */
const BY_STATE = /svc_job_by_system_and_state|svc_job_system_state_/

type Case<Store> = readonly [name: string, call: (store: Store) => unknown, index: RegExp, sorts?: 'sorts']

interface Subject<Store> {
  fill(store: Store, index: number, now: number): Promise<unknown>
  readonly cases: readonly Case<Store>[]
}

type Growing = Extract<
  Brick,
  'session' | 'tokens' | 'audit' | 'deliveries' | 'history' | 'idempotency' | 'limits' | 'user' | 'passkeys' | 'jobs'
>

const subjects: { readonly [Name in Growing]: Subject<StoreOf[Name]> } = {
  session: {
    fill: (store, index) =>
      store.create({ id: `s${index}`, user: `user ${index % 100}`, content: {}, flash: {}, meta: {} }),
    cases: [
      ['find', (store) => store.find('s7'), BY_ID],
      ['touch', (store) => store.touch('s7'), BY_ID],
      ['list', (store) => store.list({}, {}), /svc_session_createdAt_desc_id/],
      ['list by activity', (store) => store.list({}, { order: [['updatedAt', 'ASC']] }), /svc_session_updatedAt_desc/],
      ['list of a user', (store) => store.list({ user: 'user 7' }, {}), /svc_session_user_createdAt/],
      ['count of a user', (store) => store.count({ user: 'user 7' }), /svc_session_user_createdAt/],
      ['destroy those of a user', (store) => store.destroyByUser('user 7'), /svc_session_user_createdAt/],
      ['purge by idle', (store) => store.purge({ idleTimeoutS: 1, absoluteTimeoutS: 0 }), /svc_session_updatedAt/],
      ['purge by age', (store) => store.purge({ idleTimeoutS: 0, absoluteTimeoutS: 1 }), /svc_session_createdAt/]
    ]
  },
  tokens: {
    fill: (store, index, now) =>
      store.create({
        id: `t${index}`,
        kind: index % 2 === 0 ? 'apikey' : 'refresh',
        name: null,
        subject: `user ${index % 100}`,
        tenantId: `tenant ${index % 50}`,
        scopes: [],
        secretHash: `hash ${index}`,
        family: `family ${index % 200}`,
        expiresAt: now + 1_000_000 + index
      }),
    cases: [
      ['find', (store) => store.find('t7'), BY_ID],
      ['find by hash', (store) => store.findByHash('hash 7'), /svc_access_token_secretHash/],
      [
        'find by hash with its threshold',
        (store) => store.withOwner?.(null)('hash 7'),
        /svc_access_token_secretHash[\s\S]+svc_subject_revocation_(?:1|pkey)/
      ],
      ['list', (store) => store.list({}, {}), /svc_access_token_createdAt_desc_id/],
      ['list of what is active', (store) => store.list({ active: true }, {}), /svc_access_token_createdAt_desc_id/],
      ['list of a subject', (store) => store.list({ subject: 'user 7' }, {}), /svc_access_token_subject/],
      ['list of a tenant', (store) => store.list({ tenantId: 'tenant 7' }, {}), /svc_access_token_tenantId/],
      ['list of a kind', (store) => store.list({ kind: 'refresh' }, {}), /svc_access_token_(?:kind|createdAt)/],
      ['count of a subject', (store) => store.count({ subject: 'user 7' }), /svc_access_token_subject/],
      ['revoke a family', (store) => store.revokeFamily('family 7', 'x'), /svc_access_token_family/],
      ['revoke a subject', (store) => store.revokeBySubject('user 7', 'x'), /svc_access_token_subject/],
      ['is denied', (store) => store.isDenied('t7'), BY_ID],
      ['purge', (store) => store.purge(1), /svc_access_token_expiresAt[\s\S]+_revokedAt[\s\S]+svc_denied_jti_expiresAt/]
    ]
  },
  audit: {
    fill: (store, index, now) =>
      store.append([
        {
          id: `aud_${index}`,
          ts: now + index,
          category: `category ${index % 11}`,
          action: `action ${index % 40}`,
          outcome: index % 3 === 0 ? 'failure' : 'success',
          actor: `user ${index % 100}`,
          resource: null,
          reason: null,
          ip: null,
          userAgent: null,
          requestId: null,
          metadata: {}
        }
      ]),
    cases: [
      ['list', (store) => store.list({}, { limit: 50 }), /svc_audit_event_ts_desc_id_desc/],
      ['a later page', (store) => store.list({}, { limit: 50, cursor: CURSOR }), /svc_audit_event_ts_desc_id_desc/],
      ['list of an actor', (store) => store.list({ actor: 'user 7' }, { limit: 50 }), /svc_audit_event_actor_ts/],
      ['list of an action', (store) => store.list({ action: 'action 7' }, { limit: 5 }), /svc_audit_event_action_ts/],
      ['list of a category', (store) => store.list({ category: 'category 7' }, { limit: 5 }), /event_(?:category_)?ts/],
      ['list of an outcome', (store) => store.list({ outcome: 'failure' }, { limit: 5 }), /event_(?:outcome_)?ts/],
      [
        'a later page of an actor',
        (store) => store.list({ actor: 'user 7' }, { limit: 50, cursor: CURSOR }),
        /svc_audit_event_(?:actor_)?ts/
      ],
      ['since a time', (store) => store.list({ since: 1 }, { limit: 50 }), /svc_audit_event_ts_desc_id_desc/],
      ['purge', (store) => store.purge(1), /svc_audit_event_ts_desc_id_desc/]
    ]
  },
  history: {
    fill: (store, index, now) =>
      store.append([
        anEntry({
          id: `dlv_${index}`,
          endpointId: `wh_${index % 20}`,
          ts: now + index,
          messageId: `msg_${index}`,
          type: `action ${index % 7}`,
          status: index % 100 === 0 ? 503 : 200,
          outcome: index % 100 === 0 ? 'failed' : 'delivered'
        })
      ]),
    cases: [
      ['list', (store) => store.list('wh_7', {}, { limit: 5 }), /svc_webhook_history_endpointId_ts/],
      ['a later page', (store) => store.list('wh_7', {}, { limit: 5, cursor: CURSOR }), /history_(?:endpointId_)?ts/],
      [
        'of an outcome',
        (store) => store.list('wh_0', { outcome: 'failed' }, { limit: 5 }),
        /history_endpointId_outcome/
      ],
      ['of a status', (store) => store.list('wh_0', { status: 503 }, { limit: 5 }), /history_endpointId_status/],
      [
        'of an event',
        (store) => store.list('wh_7', { event: 'action 3' }, { limit: 5 }),
        /history_endpointId_t(?:ype|s)/
      ],
      ['of a time', (store) => store.list('wh_7', { since: 1, until: 2 }, { limit: 5 }), /history_endpointId_ts/],
      ['find', (store) => store.find('wh_7', 'msg_7'), /svc_webhook_history_endpointId_messageId/],
      ['trim', (store) => store.trim('wh_7', 5), /svc_webhook_history_endpointId_ts|history_1|history_pkey/],
      ['purge', (store) => store.purge(1), /svc_webhook_history_ts|history_1|history_pkey/],
      ['forget', (store) => store.forget('wh_7'), /svc_webhook_history_endpointId|history_1|history_pkey/]
    ]
  },
  deliveries: {
    fill: async (store, index) => {
      const delivery = { id: `msg_${index}`, lane: `user ${index % 100}`, payload: '{}', held: index % 50 === 0 }
      if (index < WRITERS) await store.heartbeat(`holder ${index}`)
      await store.admit(`holder ${index % WRITERS}`, [delivery])
    },
    cases: [
      ['claim', (store) => store.claim('a', 5, () => 1), /svc_webhook_delivery_holder_dueAt[\s\S]+_holder_endpointId/],
      ['admit again', (store) => store.admit('a', [{ id: 'msg_7', lane: 'a', payload: '', held: true }]), BY_ID],
      ['settle', (store) => store.settle('a', { ended: ['msg_8', 'msg_9'], retried: [], released: ['msg_7'] }), BY_ID],
      [
        'settle a retry',
        (store) => store.settle('a', { ended: [], retried: [{ id: 'msg_7', attempts: 1, delayMs: 1 }], released: [] }),
        // By what the holder holds, which is never much, or by the id.
        /svc_webhook_delivery_(?:1|pkey|holder)/
      ],
      ['reschedule', (store) => store.reschedule('user 7', 5), /svc_webhook_delivery_holder_endpointId/],
      ['discard', (store) => store.discard('user 7'), /svc_webhook_delivery_holder_/],
      ['counts', (store) => store.counts(), /svc_webhook_delivery_admittedAt/],
      ['leave', (store) => store.leave('holder 7'), /svc_webhook_delivery_holder_/]
    ]
  },
  jobs: {
    fill: async (store, index) => {
      const [id, name] = [jobId(index), `kind ${index % 20}`]
      const uniqueKey = index % 2 === 0 ? `key ${index}` : null
      await store.add([{ ...JOB, id, name, lane: name, uniqueKey, priority: PRIORITIES[index % 4] ?? 'low' }])
      if (index % 100 === 0) await store.queue.claim(`holder ${index}`, 5, () => 1)
      if (index % 5 !== 0)
        await store.end([id], { state: index % 50 === 1 ? 'failed' : 'done', attempts: 1, reason: null })
      else await store.addBatch({ id: jobId(index), jobs: [], after: [id], next: null })
      await store.steps.keep(id, 'a', {})
    },
    cases: [
      ['load', (store) => store.load([jobId(7)]), BY_ID],
      ['list', (store) => store.list({}, 5), BY_STATE],
      ['list by state', (store) => store.list({ state: 'failed' }, 5, jobId(400)), BY_STATE],
      ['list by name', (store) => store.list({ name: 'kind 7' }, 5), /svc_job_by_name|svc_job_name_/],
      ['counts', (store) => store.counts({}, 5), BY_STATE],
      ['counts of a name', (store) => store.counts({ name: 'kind 7' }, 5), /svc_job_by_name|svc_job_name_/],
      [
        'list by name and state',
        (store) => store.list({ name: 'kind 7', state: 'done' }, 5, jobId(400)),
        /svc_job_by_name|svc_job_name_/
      ],
      ['cancel', (store) => store.cancel(jobId(20)), ONE_JOB],
      ['begin', (store) => store.begin([jobId(5)]), ONE_JOB],
      ['end', (store) => store.end([jobId(10)], { state: 'done', attempts: 1, reason: null }), ONE_JOB],
      ['load the steps of a job', (store) => store.steps.load(jobId(5)), /svc_job_step_(?:1\b|pkey)/],
      [
        'batches of a job',
        (store) => store.batches.of(jobId(5)),
        /svc_job_batch_member_(?:1\b|pkey)[\s\S]+svc_job_batch_(?:1\b|pkey)/
      ],
      [
        'end of a followed job',
        (store) => store.end([jobId(15)], { state: 'done', attempts: 1, reason: null }),
        /svc_job_batch_member_(?:1\b|pkey)[\s\S]+svc_job_batch_(?:1\b|pkey)/
      ],
      ['purge', (store) => store.purge(0), /svc_job_batch_(?:by_end|endedAt)[\s\S]+svc_job_(?:by_end|endedAt)/],
      ['purge what is there', (store) => store.purge(Number.MAX_SAFE_INTEGER), /svc_job_step_(?:1\b|pkey)/],
      ['claim', (store) => store.queue.claim('a', 5, () => 1), CLAIMED, 'sorts'],
      ['claim of lanes with limits', (store) => store.queue.claim('a', 5, () => 1, RULES), CLAIMED, 'sorts'],
      ['pending', (store) => store.queue.pending('kind 7', 5), /_queue_holder_endpointId_priority/, 'sorts'],
      ['reschedule', (store) => store.queue.reschedule('kind 7', 5), /_queue_holder_endpointId_priority/, 'sorts'],
      ['discard', (store) => store.queue.discard('kind 8'), /svc_job_queue_holder_/],
      ['lanes', (store) => store.queue.lanes?.list({ limit: 5 }), /svc_job_queue_holder_/, 'sorts']
    ]
  },
  idempotency: {
    fill: (store, index) => store.begin(`key ${index}`, 'f', 1_000_000 + index),
    cases: [['purge', (store) => store.purge(), /svc_idempotency_key_expiresAt/]]
  },
  limits: {
    fill: async (store, index) => store.take(`limit ${index % 5}`, `caller ${index}`, MINUTE, 1 + (index % 50)),
    cases: [
      ['take what stands', (store) => store.take('limit 2', 'caller 7', MINUTE, 1, true), BY_ID],
      ['give back', (store) => store.giveBack('limit 2', 'caller 7', MINUTE, 1), BY_ID],
      ['spending', (store) => store.spending('limit 2', 5), /svc_rate_limit_name/, 'sorts'],
      ['purge', (store) => store.purge(), /svc_rate_limit_expiresAt/]
    ]
  },
  user: {
    fill: async (store, index) => {
      const { id } = await store.create({ identifier: `user ${index}`, roles: [`ROLE_${index % 100}`] })
      await store.linkSocialAccount(id, 'p', `s${index}`)
    },
    cases: [
      ['find by identifier', (store) => store.findByIdentifier('user 7'), /svc_user_identifier/],
      ['find by account', (store) => store.findBySocialAccount('p', 's7'), /svc_social_account_(?:1|pkey)/],
      ['list', (store) => store.list({}, {}), /svc_user_identifier/],
      ['list by role', (store) => store.list({ role: 'ROLE_7' }, {}), /svc_user_role_(?:1|pkey)/, 'sorts'],
      ['administrators', (store) => store.countAdministrators(['ROLE_7']), /svc_user_role_(?:1|pkey)/]
    ]
  },
  passkeys: {
    fill: (store, index) =>
      store.save({
        id: `c${index}`,
        userId: `user ${index % 100}`,
        publicKey: 'k',
        counter: 0,
        transports: [],
        backupEligible: false,
        backupState: false,
        nickname: null
      }),
    cases: [
      ['list of a user', (store) => store.list({ userId: 'user 7' }, {}), /svc_webauthn_credential_userId/],
      ['list', (store) => store.list({}, {}), /svc_webauthn_credential_createdAt/]
    ]
  }
}

async function plans<Name extends Growing>(t: Test, brick: Name, url: string, explain: Explain): Promise<void> {
  const log = new CapturedLog()
  const clock = new ManualClock()
  const { store, database } = await openStore(url, brick, clock, log)
  t.teardown(() => database.close())
  const { fill, cases } = subjects[brick]
  const writer = async (first: number) => {
    for (let index = first; index < ROWS; index += WRITERS) await fill(store, index, clock.now())
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, first) => writer(first)))
  clock.advance(1)
  const db = database.native
  await db.executeQuery(CompiledQuery.raw('analyze'))
  for (const [name, call, index, sorts] of cases) {
    const plan = await plansOf(
      log,
      async () => call(store),
      (statement) => explain(db, statement)
    )
    t.match(plan, index, name)
    t.notMatch(plan, /SCAN svc_\w+$|Seq Scan/m, `${name}: no table is read whole`)
    if (sorts === undefined)
      t.notMatch(plan, /TEMP B-TREE FOR ORDER BY$|^\s*(?:->\s+)?Sort {2}/m, `${name}: read in order`)
  }
}

const growing = BRICKS.filter((brick): brick is Growing => Object.hasOwn(subjects, brick))

for (const brick of growing) t.test(`${brick}, SQLite`, (t) => plans(t, brick, 'sqlite::memory:', explainSqlite))

await onPostgres(async (t, server) => {
  for (const brick of growing) {
    await t.test(brick, async (t) => plans(t, brick, await server.createDatabase(), explainPostgresOnce))
  }
})
