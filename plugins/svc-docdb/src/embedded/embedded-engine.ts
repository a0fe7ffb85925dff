/** The engine of svc-docdb-embedded, started inside this process where a connector asks for it. Never in production. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { appHost, BootError, type Problem } from 'svc-kernel'
import { dataPath } from 'svc-kernel/plugin'
import type { ConnectorConfig } from '../options.ts'

const PACKAGE = 'svc-docdb-embedded'

export interface EmbeddedEngine {
  readonly uri: string
  close(): Promise<void>
}

/** @throws BootError in production, and where the package is not installed */
export async function startEmbedded(
  fastify: FastifyInstance,
  name: string,
  { file }: Pick<ConnectorConfig, 'file'>
): Promise<EmbeddedEngine> {
  const { mode, command } = appHost(fastify)
  const at = `svc-docdb.connectors.${name}.embedded`
  if (mode === 'production') throw new BootError([inProduction(at)])
  const { startDocumentEngine, shareDocumentEngine } = await loadPackage(at)
  if (file === undefined) return startDocumentEngine()
  const path = dataPath(fastify, file)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    return await shareDocumentEngine(path, { join: command === true })
  } catch (error) {
    throw isLocked(error) ? new BootError([fileInUse(at, path)], { cause: error }) : error
  }
}

function isLocked(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'SVC_ENGINE_FILE' && /database is locked/.test(String(message))
}

function fileInUse(at: string, file: string): Problem {
  return {
    code: 'SVC_ENGINE_FILE',
    message: `the data file ${file} is in use by another process, most likely a server of this application`,
    at: at.replace(/embedded$/, 'file'),
    got: 'a file that is locked',
    expected: 'one file per server',
    fix: 'stop the other server (npm run dev), or name another file',
    more: 'npx svc docs documents'
  }
}

async function loadPackage(at: string): Promise<typeof import('svc-docdb-embedded')> {
  try {
    return await import('svc-docdb-embedded')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new BootError([notInstalled(at)])
  }
}

function inProduction(at: string): Problem {
  return {
    code: 'SVC_DOCDB_EMBEDDED',
    message: 'the embedded document engine is for development and tests',
    at,
    got: 'mode production',
    expected: 'a MongoDB replica set',
    fix: 'set DOCDB_URI, or connectors.<name>.uri'
  }
}

function notInstalled(at: string): Problem {
  return {
    code: 'SVC_DOCDB_EMBEDDED',
    message: `${PACKAGE} is not installed`,
    at,
    fix: `npm install --save-dev ${PACKAGE}`
  }
}
