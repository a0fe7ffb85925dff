/** Every package of the repository as `npm pack` makes it, in a folder that goes with the test. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './shop.ts'
import { repository, run } from './svc-command.ts'

/** The absolute path of each tarball, by the name of its package. */
export async function packAll(t: Test): Promise<ReadonlyMap<string, string>> {
  const folder = await temporaryFolder(t)
  const packed = await run('npm', ['pack', '--workspaces', '--pack-destination', folder], { cwd: repository })
  if (packed.code !== 0) throw new Error(packed.stderr)
  const files = readdirSync(folder).sort()
  return new Map(files.map((file) => [file.replace(/-\d+\.\d+\.\d+.*$/, ''), join(folder, file)]))
}
