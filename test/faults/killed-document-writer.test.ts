/**
 * A process that is killed in the middle of its writes: what it acknowledged is kept, and the next one starts.
 * In the long run: processes are killed in rounds.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { plainCommand } from '../support/plain-command.ts'
import { openDocuments } from './document-writer.ts'

const ENOUGH = 400
const ROUNDS = 3

/** What the writer said was kept, up to its last whole line. */
async function writeAndKill(file: string): Promise<string[]> {
  const program = join(import.meta.dirname, 'document-writer.js')
  const child = spawn(...plainCommand(process.execPath, [program, file]), { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let failure = ''
  child.stderr.on('data', (chunk: Buffer) => {
    failure += String(chunk)
  })
  child.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk)
    if (said.split('\n').length > ENOUGH) child.kill('SIGKILL')
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself with ${code}: ${failure}`)
  return said.slice(0, said.lastIndexOf('\n')).split('\n')
}

t.test('writes that were acknowledged outlive a SIGKILL', { timeout: 120_000 }, async (t) => {
  const file = join(t.testdir({}), 'documents.db')
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) acknowledged.push(...(await writeAndKill(file)))

  const { fastify, stores, orders } = await openDocuments(file)
  t.teardown(() => fastify.close())
  const holds: Readonly<Record<string, (id: string) => Promise<boolean | undefined>>> = {
    user: async (id) => (await stores.user?.findByIdentifier(id)) != null,
    session: async (id) => (await stores.session?.find(id)) != null,
    denial: async (id) => stores.tokens?.isDenied(id),
    order: (id) => orders.exists({ id })
  }
  const lost: string[] = []
  for (const line of acknowledged) {
    const [kind = '', id = ''] = line.split(' ')
    if ((await holds[kind]?.(id)) !== true) lost.push(line)
  }
  t.ok(acknowledged.length >= ENOUGH * ROUNDS, `${acknowledged.length} writes were acknowledged`)
  t.strictSame(new Set(acknowledged.map((line) => line.split(' ')[0])), new Set(Object.keys(holds)), 'of every kind')
  t.strictSame(lost, [], 'none of them is lost')
  t.ok(await orders.create({ number: 2 }), 'and the next process writes on')
})
