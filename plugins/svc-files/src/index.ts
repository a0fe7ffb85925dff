/**
 * svc-files: files that belong to a scope: uploads that are streamed behind the guard, downloads with ranges.
 *
 * Decorates  fastify.files; reply.file
 * Hooks      none of its own. onReady: starts the purge, tells svc-organizations what it has; onClose: stops it, closes the place of the content
 * Needs      nothing (svc-kernel, svc-stores and @fastify/multipart are added when absent)
 */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { BootError, definePlugin, ensureKernel, readOptions, systemClock } from 'svc-kernel'
import { ensureStores } from 'svc-stores'
import { openContent } from './content/open-content.ts'
import type { SendOptions } from './downloads/send-file.ts'
import { Files } from './files.ts'
import { type FilesConfig, optionsSchema, type SvcFilesOptions, type SvcFilesParts } from './options.ts'
import { type FileStore, fileStore } from './records/file-store.ts'
import { activeScope } from './scope/active-scope.ts'
import { describeToOrganizations } from './scope/organization-data.ts'
import { FileWriter } from './storing/file-writer.ts'
import { purgeFiles } from './storing/purge.ts'
import { Quotas } from './storing/quota.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Present if svc-files is registered. */
    files: Files
  }
  interface FastifyReply {
    /**
     * Answers with a file of the caller's scope: `return reply.file(id)`. Ranges, conditions and HEAD are answered as RFC
     * 9110 says. Rejects with `SVC_FILES_NOT_FOUND` (404), `SVC_FILES_CONDITION` (412), `SVC_FILES_RANGE` (416).
     */
    file(id: string, options?: SendOptions): Promise<FastifyReply>
  }
}

const files: FastifyPluginAsync<SvcFilesOptions & { parts?: SvcFilesParts }> = async (fastify, given) => {
  await ensureKernel(fastify)
  const config = readOptions<FilesConfig>('svc-files', optionsSchema, given)
  const { parts = {} } = given
  const { clock = systemClock } = parts
  const scope = activeScope(fastify, config, parts)
  await ensureStores(fastify, { clock })
  const store = openStore(fastify, config.store, parts.stores?.files)
  const content = openContent(fastify, config, parts)
  if (!fastify.hasRequestDecorator('isMultipart')) await fastify.register(multipart)
  const log = fastify.log.child({ plugin: 'svc-files' })
  const quotas = new Quotas(store, config.quota)
  const writer = new FileWriter({ store, content, quotas, clock, log })
  const sweep = (signal?: AbortSignal) => purgeFiles({ store, content, config, clock, log }, signal)
  const storeWithin = (tx: Parameters<Files['within']>[0]) => fastify.stores.within(fileStore, tx)
  const service = new Files({ store, storeWithin, content, writer, quotas, config, scope, purge: () => sweep() })
  fastify.decorate('files', service)
  fastify.decorateReply('file', function file(this: FastifyReply, id: string, options?: SendOptions) {
    return service.send(this, id, options)
  })
  fastify.healthChecks.add('files', () => content.check())
  fastify.addHook('onReady', async () => describeToOrganizations(fastify, service, config.scope))
  fastify.addHook('onClose', async () => {
    await content.close?.()
  })
  const { brick } = fileStore
  fastify.maintenance.declare({ name: 'files', store: brick, everyS: config.purgeS, clock, work: sweep })
}

/** @throws BootError SVC_FILES_NO_STORE */
function openStore({ stores }: FastifyInstance, configured: string, ready: FileStore | undefined): FileStore {
  const { store } = stores.select(fileStore, configured, ready)
  if (store !== null) return store
  throw new BootError([
    {
      code: 'SVC_FILES_NO_STORE',
      message: 'files cannot be stored: no driver of this name is registered',
      at: 'svc-files.store',
      got: configured,
      expected: 'auto | memory | a driver that comes before svc-files',
      fix: "register the driver before svc-files, or set store: 'auto'"
    }
  ])
}

export default definePlugin(files, {
  name: 'svc-files',
  optionsSchema,
  after: ['@fastify/multipart', 'svc-stores', 'svc-sqlorm', 'svc-docdb', 'svc-orm']
})

export type { ByteRange, FileContent } from './content/file-content.ts'
export type { ContentSource } from './content/measured-content.ts'
export { type DownloadRoute, type DownloadRules, download, fileSchema } from './downloads/download.ts'
export type { SendOptions } from './downloads/send-file.ts'
export type { FileFilter, Files, FilesInTransaction } from './files.ts'
export type { SvcFilesOptions, SvcFilesParts } from './options.ts'
export type { StoredFile } from './records/stored-file.ts'
export type { NewFile } from './storing/file-writer.ts'
export type { ReceivedForm } from './uploads/receive-form.ts'
export { type UploadRoute, type UploadRules, upload } from './uploads/upload.ts'
