/** A folder with a key set, for applications that read theirs from disk; removed with the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeySetFile, newStoredKey } from 'svc-security/host'
import type { Test } from 'tap'

export async function keyFolder(t: Test) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-keys-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const file = new KeySetFile(dir)
  const key = newStoredKey(0)
  file.create([key])
  return { dir, file, key }
}
