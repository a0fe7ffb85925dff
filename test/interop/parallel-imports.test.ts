/**
 * Packages are imported in any order and at the same time: each pair at once, all at once, and all at once in the
 * reverse order, each in a process of its own. Node refuses to `require` a module that an import is still loading, so
 * an ES module that two packages reach by different ways depends on who comes first.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { packageNames } from '../architecture/repository.ts'
import { plainCommand } from '../support/plain-command.ts'

const run = promisify(execFile)
const packages = packageNames()

/** @returns what failed, or `null` */
async function importTogether(names: readonly string[]): Promise<string | null> {
  const script = `await Promise.all(${JSON.stringify(names)}.map((name) => import(name)))`
  const [command, args] = plainCommand(process.execPath, ['--input-type=module', '--eval', script])
  try {
    await run(command, args)
    return null
  } catch (error) {
    return `${names.join(' + ')}: ${(error as { stderr: string }).stderr}`
  }
}

/** Two at a time: a hundred processes at once would starve each other. */
async function importEach(groups: string[][]): Promise<string[]> {
  const failures: string[] = []
  const waiting = groups.values()
  const worker = async () => {
    for (const group of waiting) {
      const failure = await importTogether(group)
      if (failure !== null) failures.push(failure)
    }
  }
  await Promise.all([worker(), worker()])
  return failures
}

t.setTimeout(600_000)

t.test('R16: any two packages are imported at once', async (t) => {
  const pairs = packages.flatMap((a, index) => packages.slice(index + 1).map((b) => [a, b]))
  t.equal(pairs.length, (packages.length * (packages.length - 1)) / 2)
  t.strictSame(await importEach(pairs), [])
})

t.test('R16: all of them are imported at once, in both orders', async (t) => {
  t.strictSame(await importEach([packages, packages.toReversed()]), [])
})
