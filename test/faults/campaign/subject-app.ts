/**
 * The application under fault, in a process of its own: accounts, an entity with its routes, journal, webhooks, realtime
 * and health on one storage. Its parent says, as JSON in the first argument, where the storage is; it answers with its port
 * and reports what it must never have: a rejection without a handler.
 */
import { flushCompileCache } from 'node:module'
import svcAudit from 'svc-audit'
import svcDecorators, {
  Body,
  Ctx,
  CurrentUser,
  controller,
  Get,
  type HttpContext,
  Param,
  Patch,
  Post,
  RateLimit
} from 'svc-decorators'
import { application, defineConfig, serve } from 'svc-host'
import type { User } from 'svc-kernel'
import svcLimits from 'svc-limits'
import svcOps from 'svc-ops'
import svcOrm, { type Changes, crud, defineEntity, type NewOf, type OrmPort, type RowOf } from 'svc-orm'
import svcRealtime from 'svc-realtime'
import svcSecurity, { hashPassword } from 'svc-security'
import { userStore } from 'svc-security/stores'
import svcWebhooks from 'svc-webhooks'
import { portOf } from '../../support/ports.ts'
import { storageDriver } from './storage-driver.ts'

export interface SubjectSettings {
  readonly port: number
  /** `sqlite:`, `postgres://` or `mongodb://`. */
  readonly storage: string
  readonly redis?: string
  /** JSON of the signing keys, the same over all restarts. */
  readonly keySet: string
  /** Behind a balancer: how long it serves on after a signal, in ms. Absent: it stands alone. */
  readonly drainDelayMs?: number
  /** What its clock is ahead of this machine's, in ms. */
  readonly clockOffMs?: number
  /** Absolute folder of a key set that instances share as a file, in place of `keySet`. */
  readonly keyDir?: string
}

export type SubjectNews = { readonly port: number } | { readonly unhandled: string }

export const PASSWORD = 'correct horse battery'
export const PEOPLE = ['ann', 'ben', 'cleo', 'dora'] as const
export const ADMINISTRATOR = 'root'

const CHEAP = { memoryKib: 7168, passes: 1 }

const Note = defineEntity({
  name: 'Note',
  schema: { title: { type: 'string' }, body: { type: 'text' }, reads: { type: 'integer', default: 0 } }
})

const { routes, found } = crud(Note)

@controller('/api/notes')
class Notes {
  readonly #notes

  constructor({ orm }: { orm: OrmPort }) {
    this.#notes = orm.repository(Note)
  }

  @Get('/:id', routes.read)
  async read(@Param('id') id: string) {
    return found(await this.#notes.findOne({ id }))
  }

  @Post('/', routes.create)
  async create(@Body() values: NewOf<typeof Note>, @Ctx() { reply }: HttpContext) {
    const row = await this.#notes.create(values)
    reply.code(201).header('location', `/api/notes/${row.id}`)
    return row
  }

  @Patch('/:id', routes.change)
  async change(@Param('id') id: string, @Body() changes: Changes<RowOf<typeof Note>>) {
    return found(await this.#notes.updateOne({ id }, changes))
  }
}

@controller('')
class Callers {
  readonly #audit

  constructor({ audit }: { audit: { record(event: object): unknown } }) {
    this.#audit = audit
  }

  @Get('/open')
  open() {
    return { open: true }
  }

  /** The same answer behind each kind of proof. */
  @Get('/visit/who')
  visitor(@CurrentUser() user: User) {
    return { who: user.identifier }
  }

  @Get('/member/who')
  member(@CurrentUser() user: User) {
    return { who: user.identifier }
  }

  @Get('/api/who', { config: { realtime: true } })
  machine(@CurrentUser() user: User) {
    return { who: user.identifier }
  }

  /** A budget of ten for each key. */
  @RateLimit({ rate: '10/hour', by: ({ headers }) => String(headers['x-budget']) })
  @Post('/spend')
  spend() {
    return { spent: true }
  }

  /** An event for the webhooks. */
  @Post('/ring')
  ring() {
    this.#audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'nobody' })
    return { rung: true }
  }
}

async function run(settings: SubjectSettings): Promise<void> {
  const { port, storage, redis, keySet, keyDir, drainDelayMs, clockOffMs = 0 } = settings
  const { now } = Date
  if (clockOffMs !== 0) Date.now = () => now() + clockOffMs
  const behind = drainDelayMs === undefined ? {} : { drainDelayMs, trustProxy: ['127.0.0.1'] }
  const channels = [{ pattern: 'news', requires: ['ROLE_USER'], publish: ['ROLE_USER'] }]
  const config = defineConfig({
    name: 'subject',
    mode: 'production',
    server: { port, host: '127.0.0.1', logger: { level: 'warn' }, ...behind },
    modules: [
      [svcOrm, { parts: { entities: [Note] } }],
      await storageDriver(storage),
      svcAudit,
      [
        svcSecurity,
        {
          areas: {
            visit: { pattern: '^/visit', authenticators: ['session', 'anonymous'] },
            member: { pattern: '^/(?:member|svc/realtime)', authenticators: ['session'] },
            api: { pattern: '^/api', authenticators: ['jwt', 'apikey', 'session'] }
          },
          passwords: CHEAP,
          jwt: { ...(keyDir === undefined ? { keySetJson: keySet } : { dir: keyDir }), accessTtlS: 3600 },
          apiKeys: { maxPerSubject: 1000 }
        }
      ],
      [svcRealtime, { channels, ...(redis === undefined ? {} : { redis: { url: redis } }) }],
      [svcWebhooks, { encryptionKey: Buffer.alloc(32, 7).toString('base64'), allowHttp: true, denyPrivateIps: false }],
      svcOps,
      svcLimits,
      [svcDecorators, { controllers: [Notes, Callers] }]
    ]
  })
  const fastify = await serve(application(config, import.meta.url))
  const { store: users } = fastify.stores.select(userStore, 'auto')
  const password = await hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })
  for (const identifier of [...PEOPLE, ADMINISTRATOR]) {
    if ((await users?.findByIdentifier(identifier)) != null) continue
    const roles = identifier === ADMINISTRATOR ? ['ROLE_USER', 'ROLE_SVC_ADMIN'] : ['ROLE_USER']
    // Instances that start at once all look: one of them makes it.
    await users?.create({ identifier, password, roles }).catch((error: { code?: string }) => {
      if (error.code !== 'SVC_STORE_DUPLICATE') throw error
    })
  }
  // Killed, it would leave nothing of what it compiled to the next.
  flushCompileCache()
  report({ port: portOf(fastify.server) })
}

function report(news: SubjectNews): void {
  process.send?.(news)
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) {
  process.on('unhandledRejection', (reason) => {
    report({ unhandled: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) })
  })
  await run(JSON.parse(settings) as SubjectSettings)
}
