/** The suite of a place that keeps content: what is there is whole, and what failed is not there. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { ConformanceRunner } from 'svc-stores/conformance'
import type { FileContent } from './file-content.ts'

/** How the suite gets a driver. */
export interface ContentSubject {
  /** An empty place. */
  open(): FileContent | Promise<FileContent>
  /** Called after each case. */
  close?(content: FileContent): unknown
  /** Everything that the place holds, unfinished content included: its ids, or anything else that differs. */
  leftovers(content: FileContent): readonly string[] | Promise<readonly string[]>
  /** Does what a process that is killed in the middle of `write(id)` leaves. */
  interrupt(content: FileContent, id: string): unknown
}

type Case = (content: FileContent, subject: ContentSubject) => Promise<void>

/** Larger than what drivers send at once. */
const LARGE = 20 * 1024 * 1024
const PIECE = 64 * 1024

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

async function* failing(bytes: number, error: Error): AsyncGenerator<Uint8Array> {
  yield* pieces(randomBytes(bytes))
  throw error
}

async function read(content: FileContent, id: string, start: number, end: number): Promise<Buffer> {
  return buffer(await content.read(id, { start, end }))
}

const refusal = { code: 'SVC_FILES_CALL' }
const missing = { code: 'SVC_FILES_CONTENT_MISSING' }

const cases: Readonly<Record<string, Case>> = {
  'content comes back byte for byte, whole and in ranges': async (content) => {
    const bytes = randomBytes(100_000)
    await content.write('a', pieces(bytes))
    assert.deepEqual(await read(content, 'a', 0, 99_999), bytes)
    assert.deepEqual(await read(content, 'a', 70_000, 70_000), bytes.subarray(70_000, 70_001))
    assert.deepEqual(await read(content, 'a', 99_990, 99_999), bytes.subarray(99_990))
  },
  'large content comes back byte for byte': async (content) => {
    const bytes = randomBytes(LARGE)
    await content.write('a', pieces(bytes))
    assert.ok((await read(content, 'a', 0, LARGE - 1)).equals(bytes))
  },
  'content may be empty': async (content, subject) => {
    await content.write('a', pieces(Buffer.alloc(0)))
    await content.remove('a')
    assert.deepEqual(await subject.leftovers(content), [])
  },
  'content that fails leaves nothing, at whichever byte, and rejects with its own error': async (content, subject) => {
    for (const bytes of [0, 1, PIECE * 3, LARGE]) {
      const error = new Error(`after ${bytes}`)
      await assert.rejects(content.write('a', failing(bytes, error)), error)
      assert.deepEqual(await subject.leftovers(content), [], `after ${bytes} bytes`)
    }
  },
  'what is not there, or shorter, is missing': async (content) => {
    await assert.rejects(content.read('none', { start: 0, end: 0 }), missing)
    await content.write('a', pieces(randomBytes(10)))
    await assert.rejects(content.read('a', { start: 0, end: 10 }), missing)
    await assert.rejects(content.read('a', { start: 10, end: 10 }), missing)
  },
  'removed content is gone, and to remove it again does nothing': async (content, subject) => {
    await content.write('a', pieces(randomBytes(10)))
    await content.write('ab', pieces(randomBytes(10)))
    for (let times = 0; times < 2; times += 1) await content.remove('a')
    await assert.rejects(content.read('a', { start: 0, end: 9 }), missing)
    assert.equal((await read(content, 'ab', 0, 9)).length, 10)
    await content.remove('ab')
    assert.deepEqual(await subject.leftovers(content), [])
  },
  'what a killed process leaves cannot be read, and is removed by its id': async (content, subject) => {
    await subject.interrupt(content, 'a')
    assert.notDeepEqual(await subject.leftovers(content), [], 'the subject leaves something')
    await assert.rejects(content.read('a', { start: 0, end: 0 }), missing)
    await content.remove('a')
    assert.deepEqual(await subject.leftovers(content), [])
  },
  'no id leaves the place': async (content, subject) => {
    for (const id of ['../a', 'a/b', '..', '.', '', 'a\0', 'a.part', 'a\\b', '%2e%2e']) {
      await assert.rejects(content.write(id, pieces(randomBytes(1))), refusal, JSON.stringify(id))
      await assert.rejects(content.read(id, { start: 0, end: 0 }), refusal, JSON.stringify(id))
    }
    assert.deepEqual(await subject.leftovers(content), [])
  },
  'many are written and read at once': async (content) => {
    const files = Array.from({ length: 20 }, (_, index) => ({ id: `f${index}`, bytes: randomBytes(PIECE + index) }))
    await Promise.all(files.map(({ id, bytes }) => content.write(id, pieces(bytes))))
    await Promise.all(
      files.map(async ({ id, bytes }) => assert.deepEqual(await read(content, id, 0, bytes.length - 1), bytes))
    )
    await content.check()
  }
}

/** Proves a driver of content. @param runner tap's `t`, or any runner with `test(name, body)` */
export async function fileContentConformance(runner: ConformanceRunner, subject: ContentSubject): Promise<void> {
  for (const [name, run] of Object.entries(cases)) {
    await runner.test(name, async () => {
      const content = await subject.open()
      try {
        await run(content, subject)
      } finally {
        await subject.close?.(content)
      }
    })
  }
}
