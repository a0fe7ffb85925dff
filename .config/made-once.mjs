/**
 * What many test files begin with, such as a created application, is made by the first of a run and copied by the
 * others. Outside a run, each process makes its own.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Names what the paths of the folders of a run begin with. They lie beside temporary folders: relative links hold in copies. */
const RUN_VARIABLE = 'SVC_TEST_RUN'

/** What a run writes at most, and some more. */
const MEMORY_BYTES = 4 * 2 ** 30

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

/** What the processes of a run share under that name, gone when it ends. */
export function folderOfRun(name) {
  process.env[RUN_VARIABLE] ??= runOfThisProcess()
  return `${process.env[RUN_VARIABLE]}.${name}`
}

async function findOrMake(name, make) {
  const final = folderOfRun(name)
  if (existsSync(final)) return final
  const folder = mkdtempSync(folderOfRun('making-'))
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
  const run = mkdtempSync(join(tmpdir(), 'svc-test-run-'))
  process.once('exit', () => {
    const folders = readdirSync(dirname(run)).filter((name) => name.startsWith(basename(run)))
    for (const name of folders) rmSync(join(dirname(run), name), { recursive: true, force: true })
  })
  return run
}

/** @returns variables that tell the processes of a run what they share and where they write, and what removes all of it */
export function beginRun() {
  const folder = mkdtempSync(join(temporaryFolder(), 'svc-test-run-'))
  // A database server runs as a user of its own.
  chmodSync(folder, 0o711)
  const environment = {
    TMPDIR: folder,
    [RUN_VARIABLE]: join(folder, 'run'),
    NODE_COMPILE_CACHE: join(folder, 'compiled')
  }
  return { environment, end: () => removeAll(folder) }
}

/** A test that was killed could not unmount its file systems, nor end its servers, which may write yet. */
function removeAll(folder) {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8').split('\n') : []
  const mounted = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${folder}/`))
  for (const path of mounted) spawnSync('umount', ['-l', path])
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    process.stderr.write(`\n${folder} stays: ${error.message}\n`)
  }
}

/** Much is written that nobody keeps, and Linux has room for it in memory, at a tenth of the cost of a disk. */
function temporaryFolder() {
  const memory = '/dev/shm'
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  const runsPrograms = !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'))
  return runsPrograms && bavail * bsize >= MEMORY_BYTES ? memory : tmpdir()
}
