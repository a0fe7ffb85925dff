/**
 * The document engine of a test run: the server of `DOCDB_TEST_URI`, else a
 * `mongod` on the PATH, else the embedded engine. Each caller gets a database of
 * its own, which is dropped at the end.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Document } from 'mongodb'
import mongoose from 'mongoose'
import { startDocumentEngine } from 'svc-docdb-embedded'
import type { Test } from 'tap'

export interface Documents {
  /** `server`, `mongod` or `embedded`. */
  readonly engine: string
  /** Names a fresh database. */
  readonly uri: string
  readonly database: string
}

interface Engine {
  readonly engine: string
  uriOf(database: string): string
  /** Absent on a server that others use too. */
  stop?(): Promise<void>
}

/** A replica set, and in it a database that is gone after the test. */
export async function documents(t: Test): Promise<Documents> {
  const engine = await startEngine()
  const database = `t_${randomBytes(6).toString('hex')}`
  const uri = engine.uriOf(database)
  t.teardown(async () => {
    if (engine.engine !== 'embedded') await dropDatabase(uri)
    await engine.stop?.()
  })
  t.comment(`document engine: ${engine.engine}`)
  return { engine: engine.engine, uri, database }
}

async function startEngine(): Promise<Engine> {
  const { DOCDB_TEST_URI: given } = process.env
  if (given !== undefined && given !== '') {
    const url = new URL(given)
    return {
      engine: 'server',
      uriOf: (database) =>
        `mongodb://${url.username === '' ? '' : `${url.username}:${url.password}@`}${url.host}/${database}${url.search}`
    }
  }
  if (spawnSync('mongod', ['--version']).status === 0) return startMongod()
  const embedded = await startDocumentEngine({})
  const url = new URL(embedded.uri)
  return {
    engine: 'embedded',
    uriOf: (database) => `mongodb://${url.host}/${database}${url.search}`,
    stop: () => embedded.close()
  }
}

/** A replica set of one. */
async function startMongod(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mongod-'))
  const port = await freePort()
  const options = ['--port', String(port), '--dbpath', folder, '--bind_ip', '127.0.0.1', '--replSet', 'rs0']
  const child = spawn('mongod', options, { stdio: 'ignore' })
  const member = `127.0.0.1:${port}`
  const replSetInitiate = { _id: 'rs0', members: [{ _id: 0, host: member }] }
  await command(`mongodb://${member}/?directConnection=true`, { replSetInitiate })
  // Answered when the only member has elected itself.
  await command(`mongodb://${member}/?replicaSet=rs0`, { ping: 1 })
  return {
    engine: 'mongod',
    uriOf: (database) => `mongodb://${member}/${database}?replicaSet=rs0`,
    stop: async () => {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function command(uri: string, body: Document): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri)
  await client.connect()
  await client.db('admin').command(body)
  await client.close()
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri)
  await client.connect()
  await client.db().dropDatabase()
  await client.close()
}
