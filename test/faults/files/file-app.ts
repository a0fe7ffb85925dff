/**
 * An instance that takes files, in a process of its own. The header `x-scope` says to whom they belong. `POST /purge`
 * removes what no file needs and says how many were gone; `GET /records` says what the records of a scope count. The parent
 * gives storage, folder and clock as JSON in the first argument.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import svcFiles, { download, upload } from 'svc-files'
import { fileStore } from 'svc-files/stores'
import svcStores from 'svc-stores'
import { storageDriver } from '../campaign/storage-driver.ts'
import { fastClock, type JobAppSettings } from '../jobs/job-app.ts'
import { serveInstance } from '../serve-instance.ts'

export interface FileAppSettings extends Pick<JobAppSettings, 'storage' | 'fast' | 'offMs' | 'referee'> {
  /** Of the content; all instances share it. */
  readonly directory: string
}

/** What `GET /records` answers. */
export interface Records {
  /** Bytes that count for the quota of the scope. */
  readonly used: number
  /** Records of removed files, of all scopes. */
  readonly removed: number
}

export const MOST_BYTES = 250_000
export const MOST_FILES = 3
/** Never reached: but it is asked for, and what each file may get is reserved. */
const QUOTA_BYTES = 1_000_000_000

const scopeOf = ({ headers }: FastifyRequest) => (headers['x-scope'] as string | undefined) ?? null

type Named = { readonly Params: { readonly id: string } }

const drawer = fp(async (fastify: FastifyInstance) => {
  const { files, stores } = fastify
  fastify.post('/files', upload({ maxFiles: MOST_FILES }), async (request) => files.upload(request))
  fastify.get('/files', async () => files.list({ limit: 1000 }))
  fastify.get<Named>('/files/:id', download(), async ({ params }, reply) => reply.file(params.id))
  fastify.delete<Named>('/files/:id', async ({ params }, reply) => {
    return reply.code((await files.remove(params.id)) ? 204 : 404).send()
  })
  fastify.post('/purge', async () => ({ gone: await files.purge() }))
  fastify.get('/records', async (): Promise<Records> => {
    const { store } = stores.select(fileStore, 'auto')
    const removed = await store?.removed(Number.MAX_SAFE_INTEGER, undefined, 1000)
    return { used: await files.usage(), removed: removed?.length ?? 0 }
  })
})

async function run(settings: FileAppSettings): Promise<void> {
  const clock = fastClock(settings)
  await serveInstance(import.meta.url, [
    [svcStores, { parts: { clock } }],
    await storageDriver(settings.storage),
    [
      svcFiles,
      {
        disk: { directory: settings.directory },
        maxBytes: MOST_BYTES,
        quota: { scopeBytes: QUOTA_BYTES },
        // Purges are under way at kills, too.
        purgeS: 1,
        parts: { clock, scope: scopeOf }
      }
    ],
    drawer
  ])
}

const [, program, settings] = process.argv
if (settings !== undefined && import.meta.filename === program) await run(JSON.parse(settings) as FileAppSettings)
