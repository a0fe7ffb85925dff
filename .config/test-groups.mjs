/**
 * Tests of one folder share processes: starting one for each file costs more than most files do. A file whose header
 * says `In a process of its own: <why>` changes what a process has once, and shares none.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Enough to make the start of the process small beside the work, few enough to share two cores evenly. */
const FILES_PER_GROUP = { quick: 24, slow: 12 }
const MARK = /^(?:#!.*\n)?\/\*\*(?:(?!\*\/)[\s\S])*\bIn a process of its own: \S/
/** What waits for other processes most of the time gains nothing by sharing one; it would only stand in line. */
const DRIVES_PROCESSES = /^test\/dist\/(?:journeys|faults)\//
/** Begun last, they would leave one core to wait for the other. */
const SLOW = ['test', 'plugins/svc-cli', 'plugins/svc-sqlorm']
/** Below `.tap`, where nothing but tap's own files lies. Named for their content: runs at one time share them. */
const FOLDER = '.tap/groups'

/** Of files whose lines are counted. */
const COVERED_FOLDER = `${FOLDER}/covered`

export const isGroup = (name) => name.startsWith(`${FOLDER}/`)
export const isCovered = (name) => name.startsWith(`${COVERED_FOLDER}/`)

/**
 * What runs for these files, in the order given: entries of groups, and files that are alone, those as entries too if `all`.
 *
 * @param covered packages, relative to `root`: the lines that their tests run are counted
 */
export function entriesFor(root, files, { all = false, covered = [] } = {}) {
  const isAlone = (file) => DRIVES_PROCESSES.test(file) || MARK.test(readFileSync(join(root, file), 'utf8'))
  return groupsOf(files, isAlone).map((group) => {
    if (covered.includes(folderOf(group[0]))) return writeEntry(root, group, COVERED_FOLDER)
    return group.length === 1 && !all ? group[0] : writeEntry(root, group, FOLDER)
  })
}

/** Those that are alone, then the files of each folder of tests, cut into parts of about the same length. */
export function groupsOf(files, isAlone) {
  // The set-up runs on Node 20, which has no `Map.groupBy`.
  const folders = new Map()
  for (const file of files.filter((file) => !isAlone(file))) {
    const folder = folderOf(file)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  const order = [...new Set([...SLOW.filter((folder) => folders.has(folder)), ...folders.keys()])]
  const limit = (folder) => (SLOW.includes(folder) ? FILES_PER_GROUP.slow : FILES_PER_GROUP.quick)
  const groups = order.flatMap((folder) => parts(folders.get(folder), limit(folder)))
  return [...files.filter(isAlone).map((file) => [file]), ...groups]
}

function parts(files, limit) {
  const count = Math.ceil(files.length / limit)
  const start = (part) => Math.ceil((part * files.length) / count)
  return Array.from({ length: count }, (_, part) => files.slice(start(part), start(part + 1)))
}

/** The project that a compiled test belongs to. */
function folderOf(file) {
  return file.split('/dist/')[0]
}

function writeEntry(root, files, folder) {
  const runner = relative(folder, '.config/test-group.mjs')
  const code = `import { runGroup } from '${runner}'\nawait runGroup(${JSON.stringify(files, null, 2)})\n`
  const name = `${folder}/${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, name), code)
  return name
}
