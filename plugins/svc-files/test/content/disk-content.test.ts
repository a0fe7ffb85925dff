/** The disk: the published suite, and what a full or failing disk does to it. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { DiskContent, type FileSystem } from '../../src/content/disk-content.ts'
import { fileContentConformance } from '../../src/content/file-content-conformance.ts'
import { storageError } from '../../src/storing/file-writer.ts'

function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-files-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
}

async function* words(...given: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const word of given) yield Buffer.from(word)
}

t.test('the suite', async (t) => {
  const folders = new Map<object, string>()
  const folderFor = (content: object) => folders.get(content) ?? ''
  await fileContentConformance(
    { test: (name, body) => t.test(name, body) },
    {
      open: () => {
        const folder = folderOf(t)
        const content = new DiskContent(folder)
        folders.set(content, folder)
        return content
      },
      leftovers: (content) => filesIn(folderFor(content)),
      // A killed process has written a part, and neither synced nor renamed it.
      interrupt: async (content, id) => {
        const rename = () => Promise.reject(new Error('killed'))
        const killed: FileSystem = { ...nodeFiles, rename, rm: () => Promise.resolve() }
        await new DiskContent(folderFor(content), killed).write(id, words('half')).catch(() => undefined)
      }
    }
  )
})

t.test('a step that fails leaves nothing and rejects with its error', async (t) => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const faults: Readonly<Record<string, (files: FileSystem) => Partial<FileSystem>>> = {
    mkdir: () => ({ mkdir: (() => Promise.reject(full)) as FileSystem['mkdir'] }),
    open: () => ({ open: () => Promise.reject(full) }),
    rename: () => ({ rename: () => Promise.reject(full) }),
    write: (files) => ({ open: withHandle(files, { writeFile: () => Promise.reject(full) }) }),
    sync: (files) => ({ open: withHandle(files, { sync: () => Promise.reject(full) }) })
  }
  for (const [name, fault] of Object.entries(faults)) {
    const folder = folderOf(t)
    const content = new DiskContent(folder, { ...nodeFiles, ...fault(nodeFiles) } as FileSystem)
    await t.rejects(content.write('a', words('some', 'thing')), full, name)
    t.strictSame(filesIn(folder), [], name)
  }
  t.match(storageError(full), { statusCode: 507, code: 'SVC_FILES_FULL' })
})

t.test('files and folders are for their owner alone', async (t) => {
  const folder = join(folderOf(t), 'made')
  await new DiskContent(folder).write('file_ab', words('text'))
  t.equal(statSync(folder).mode & 0o777, 0o700)
  t.equal(statSync(join(folder, 'ab', 'file_ab')).mode & 0o777, 0o600)
})

t.test('a link in the place of content is not followed', async (t) => {
  const folder = folderOf(t)
  const content = new DiskContent(folder)
  await content.write('file_ab', words('text'))
  await nodeFiles.writeFile(join(folder, 'secret'), 'secret')
  await nodeFiles.rm(join(folder, 'ab', 'file_ab'))
  await nodeFiles.symlink(join(folder, 'secret'), join(folder, 'ab', 'file_ab'))
  await t.rejects(content.read('file_ab', { start: 0, end: 1 }), { code: 'ELOOP' })
})

t.test('a reader that began before the removal reads to the end', async (t) => {
  const content = new DiskContent(folderOf(t))
  await content.write('a', words('text'))
  const stream = await content.read('a', { start: 0, end: 3 })
  await content.remove('a')
  t.equal((await buffer(stream)).toString(), 'text')
})

/** Handles whose methods are replaced. */
function withHandle(files: FileSystem, methods: object): FileSystem['open'] {
  return (async (...given: Parameters<FileSystem['open']>) => {
    const handle = await files.open(...given)
    return new Proxy(handle, {
      get: (target, name) => {
        const own = (methods as Record<PropertyKey, unknown>)[name] ?? Reflect.get(target, name, target)
        return typeof own === 'function' ? own.bind(target) : own
      }
    })
  }) as FileSystem['open']
}
