/** Every package of the repository as `npm pack` makes it of what is staged, in a folder that goes with the test. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './shop.ts'
import { repository, run } from './svc-command.ts'

/** Every package as it is published, laid out in a folder: where each is, by its name. */
export async function stageAll(folder: string): Promise<ReadonlyMap<string, string>> {
  const { stagePackages } = (await import(join(repository, '.config/stage-packages.mjs'))) as {
    stagePackages(folder: string): Promise<ReadonlyMap<string, string>>
  }
  return stagePackages(folder)
}

/** The absolute path of each tarball, by the name of its package. */
export async function packAll(t: Test): Promise<ReadonlyMap<string, string>> {
  const folder = await temporaryFolder(t)
  const staged = await stageAll(await temporaryFolder(t))
  const packed = await run('npm', ['pack', '--pack-destination', folder, ...staged.values()], { cwd: folder })
  if (packed.code !== 0) throw new Error(packed.stderr)
  const files = readdirSync(folder).sort()
  return new Map(files.map((file) => [file.replace(/-\d+\.\d+\.\d+.*$/, ''), join(folder, file)]))
}
