/**
 * What many test files begin with, such as a created application, is made by the first of a run and copied by the
 * others. Outside a run, each process makes its own.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Names what the paths of the folders of a run begin with. They lie beside temporary folders: relative links hold in copies. */
const RUN_VARIABLE = 'SVC_TEST_RUN'

const made = new Map()

/**
 * `make` fills the folder that it is given. Two processes may both make; one of the two folders stays, and no reader
 * sees a part of it.
 *
 * @returns the folder, to be copied and left alone
 */
export function madeOnce(name, make) {
  if (!made.has(name)) made.set(name, findOrMake(name, make))
  return made.get(name)
}

async function findOrMake(name, make) {
  process.env[RUN_VARIABLE] ??= runOfThisProcess()
  const run = process.env[RUN_VARIABLE]
  const final = `${run}.${name}`
  if (existsSync(final)) return final
  const folder = mkdtempSync(`${run}.making-`)
  await make(folder)
  try {
    renameSync(folder, final)
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    rmSync(folder, { recursive: true })
  }
  return final
}

function runOfThisProcess() {
  const { run, end } = beginRun()
  process.once('exit', end)
  return run
}

/** @returns the variable that tells the processes of a run what they share, and what removes it */
export function beginRun() {
  const run = mkdtempSync(join(tmpdir(), 'svc-test-run-'))
  const end = () => {
    const folders = readdirSync(dirname(run)).filter((name) => name.startsWith(basename(run)))
    for (const name of folders) rmSync(join(dirname(run), name), { recursive: true, force: true })
  }
  return { run, environment: { [RUN_VARIABLE]: run }, end }
}
