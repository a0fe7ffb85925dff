/**
 * The operations of the table on the embedded engine and on mingo, against the answers that a real engine gave.
 * DOCDB_TEST_URI with DOCDB_TEST_ENGINE=documentdb asks that engine again; with DOCDB_TEST_RECORD its answers are kept.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { startDocumentEngine } from '../../src/index.ts'
import { answerOfEngine, answerOfMingo, nameOf } from './answers.ts'
import { DIFFERENCES } from './differences.ts'
import { OPERATIONS } from './operations.ts'

interface Vector {
  readonly operation: string
  readonly documentdb: string
  /** Of the embedded engine and of mingo, where they answer otherwise. */
  readonly embedded?: string
  readonly mingo?: string
}

const FILE = new URL('../../../test/vectors/faithfulness.json', import.meta.url)
const { DOCDB_TEST_URI: uri, DOCDB_TEST_ENGINE: engineName, DOCDB_TEST_RECORD: record } = process.env
const live = uri !== undefined && engineName === 'documentdb' ? uri : null

async function answersOf(address: string): Promise<string[]> {
  const client = await new MongoClient(address).connect()
  const db = client.db(`faithfulness_${process.pid}`)
  try {
    const answers: string[] = []
    for (const operation of OPERATIONS) answers.push(await answerOfEngine(db, operation))
    return answers
  } finally {
    await db.dropDatabase()
    await client.close()
  }
}

const engine = await startDocumentEngine()
t.teardown(() => engine.close())
const embedded = await answersOf(engine.uri)
const mingo = OPERATIONS.map(answerOfMingo)
const real = live === null ? null : await answersOf(live)

if (real !== null && record !== undefined) {
  const vectors = OPERATIONS.map((operation, index): Vector => {
    const documentdb = real[index] ?? ''
    const other = (answers: readonly string[]) => (answers[index] === documentdb ? undefined : answers[index])
    return JSON.parse(
      JSON.stringify({ operation: nameOf(operation), documentdb, embedded: other(embedded), mingo: other(mingo) })
    )
  })
  writeFileSync(FILE, `${JSON.stringify(vectors, null, 1)}\n`)
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(FILE, 'utf8'))

t.test('the vectors hold every operation, each under a name of its own', async (t) => {
  t.strictSame(
    vectors.map(({ operation }) => operation),
    OPERATIONS.map(nameOf)
  )
  t.equal(new Set(vectors.map(({ operation }) => operation)).size, OPERATIONS.length)
})

t.test('the embedded engine answers as the real one, but for what is listed with its reason', async (t) => {
  for (const [index, vector] of vectors.entries()) {
    t.equal(embedded[index], vector.embedded ?? vector.documentdb, vector.operation)
  }
  const differing = vectors.filter(({ embedded }) => embedded !== undefined).map(({ operation }) => operation)
  for (const name of differing)
    t.ok(
      DIFFERENCES.some(([operations]) => operations.test(name)),
      `${name} has its reason`
    )
  for (const [operations, reason] of DIFFERENCES)
    t.ok(
      differing.some((name) => operations.test(name)),
      reason
    )
})

t.test('mingo answers as it did: not faithfully enough to replace the operators', async (t) => {
  for (const [index, vector] of vectors.entries()) {
    t.equal(mingo[index], vector.mingo ?? vector.documentdb, vector.operation)
  }
})

if (real !== null) {
  t.test('the real engine answers as it did', async (t) => {
    for (const [index, vector] of vectors.entries()) t.equal(real[index], vector.documentdb, vector.operation)
  })
}
