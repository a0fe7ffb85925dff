/** Every package of the repository as `npm pack` makes it of what is staged. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { madeOnce } from './made-once.ts'
import { repository, run } from './svc-command.ts'

const STAGED = 'staged'

/** Every package as it is published, laid out in a folder: where each is, by its name. */
export async function stageAll(folder: string): Promise<ReadonlyMap<string, string>> {
  const { stagePackages } = (await import(join(repository, '.config/stage-packages.mjs'))) as {
    stagePackages(folder: string): Promise<ReadonlyMap<string, string>>
  }
  return stagePackages(folder)
}

/** The absolute path of each tarball, by the name of its package; packed once in a run of the tests. */
export async function packAll(): Promise<ReadonlyMap<string, string>> {
  const folder = await madeOnce('packed', async (folder) => {
    const staged = await stageAll(join(folder, STAGED))
    const packed = await run('npm', ['pack', '--pack-destination', folder, ...staged.values()], { cwd: folder })
    if (packed.code !== 0) throw new Error(packed.stderr)
  })
  const files = readdirSync(folder).filter((file) => file !== STAGED)
  return new Map(files.sort().map((file) => [file.replace(/-\d+\.\d+\.\d+.*$/, ''), join(folder, file)]))
}
