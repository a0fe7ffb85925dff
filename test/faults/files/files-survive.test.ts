/**
 * Instances that share a folder of files and a database are killed while they store, list and remove files. Each acknowledged
 * file is there byte for byte, no removed one is, and no listing shows a file that is not whole. What the kills left goes with
 * the purge: then folder, records and quotas agree.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { SeededRandom } from '../../support/seeded-random.ts'
import { Callers } from '../callers.ts'
import { DATABASES, onEach } from '../campaign/backends/on-each.ts'
import { Instance } from '../instance-process.ts'
import type { FileAppSettings, Records } from './file-app.ts'
import { FileLedger, type ListedFile, SCOPES } from './file-ledger.ts'

const PROGRAM = fileURLToPath(new URL('./file-app.js', import.meta.url))
const SEED = Number(process.env.SEED ?? 20_261_129)
const INSTANCES = 3
/** What the victim is asked when it is killed, and how soon after that, ms at most. */
const KILLS = [
  ['upload', 60],
  ['remove', 8],
  ['upload', 20],
  ['upload', 60],
  ['remove', 8]
] as const
const UPLOADS = { callers: 5, pauseMs: 5, perPhase: 16 }
const REMOVALS = { callers: 2, pauseMs: 10, perPhase: 12 }
const LOOKS = { callers: 1, pauseMs: 10, perPhase: 8 }
const SAMPLE = 3
/** Longer than a file may be pending. */
const LATER_MS = 2 * 86_400_000

type Kind = (typeof KILLS)[number][0]

/** Of the files under this folder, unfinished ones too. */
const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()

/** Kills an instance in the middle of a request of this kind. */
class Killer {
  readonly #random: SeededRandom
  #armed: { readonly victim: Instance; readonly kind: Kind; readonly fire: () => void } | null = null

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** Resolves when it is dead. */
  async kill(victim: Instance, kind: Kind, withinMs: number): Promise<void> {
    await new Promise<void>((fire) => {
      this.#armed = { victim, kind, fire }
    })
    await new Promise((resume) => setTimeout(resume, this.#random.below(withinMs + 1)))
    await victim.end('SIGKILL')
  }

  /** A request is on its way. */
  asked<Answer>(instance: Instance, kind: Kind, answer: Answer): Answer {
    if (this.#armed?.victim === instance && this.#armed.kind === kind) {
      this.#armed.fire()
      this.#armed = null
    }
    return answer
  }
}

/** @returns faults that were seen under load */
async function underLoad(instances: readonly Instance[], ledger: FileLedger, random: SeededRandom): Promise<string[]> {
  const killer = new Killer(random)
  const faults: string[] = []
  const at = () => instances[random.below(INSTANCES)] as Instance
  const uploads = new Callers(UPLOADS, (form) => {
    const instance = at()
    return killer.asked(instance, 'upload', ledger.upload(instance, form))
  })
  const removals = new Callers(REMOVALS, () => {
    const instance = at()
    return killer.asked(instance, 'remove', ledger.remove(instance))
  })
  const looks = new Callers(LOOKS, async (count) => {
    const listing = await ledger.listed(at(), SCOPES[count % 2] ?? 'acme', SAMPLE)
    faults.push(...(listing?.faults ?? []))
    return listing !== null
  })
  const all = [uploads, removals, looks]
  try {
    for (const [count, [kind, withinMs]] of KILLS.entries()) {
      const victim = instances[count % INSTANCES] as Instance
      for (const callers of all) callers.next()
      await killer.kill(victim, kind, withinMs)
      for (const callers of all) callers.next()
      await victim.start()
    }
  } finally {
    await Promise.all(all.map((callers) => callers.stop()))
  }
  return faults
}

/** @returns what is listed, of all scopes */
async function whole(t: Test, instance: Instance, ledger: FileLedger): Promise<readonly ListedFile[]> {
  const listed: ListedFile[] = []
  for (const scope of SCOPES) {
    const listing = await ledger.listed(instance, scope)
    t.strictSame(listing?.faults, [], `${scope} lists whole files`)
    listed.push(...(listing?.all ?? []))
  }
  t.strictSame(await ledger.acknowledged(instance), [], 'what was acknowledged is so')
  return listed
}

/** A purge after all that was pending has expired: folder, records and quotas agree with what is listed. */
async function nothingElse(t: Test, later: Instance, ledger: FileLedger, directory: string): Promise<void> {
  const purged = await later.ask('/purge', { method: 'POST' })
  t.ok(purged?.ok, 'the purge')
  const listed = await whole(t, later, ledger)
  t.strictSame(namesIn(directory), listed.map(({ id }) => id).sort(), 'what is on disk is listed, and nothing else')
  for (const scope of SCOPES) {
    const names = new Set(ledger.files.filter((file) => file.scope === scope).map(({ name }) => name))
    const stored = listed.filter(({ name }) => names.has(name)).reduce((sum, { bytes }) => sum + bytes, 0)
    const answer = await later.ask('/records', { headers: { 'x-scope': scope } })
    const records = JSON.parse(String(answer?.body)) as Records
    t.strictSame(records, { used: stored, removed: 0 }, `what counts for ${scope} is stored`)
  }
}

onEach(t, DATABASES, `${INSTANCES} instances, killed while they store and remove files`, async (t, { storage }) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-files-survive-'))
  const settings: FileAppSettings = { storage, directory, fast: { times: 1, since: Date.now() }, offMs: 0, referee: '' }
  const instances = Array.from({ length: INSTANCES }, () => new Instance(PROGRAM, settings))
  const later = new Instance(PROGRAM, { ...settings, offMs: LATER_MS })
  const all = [...instances, later]
  t.teardown(async () => {
    await Promise.all(all.map((instance) => instance.end('SIGKILL')))
    rmSync(directory, { recursive: true, force: true })
  })
  // One by one: the first makes the tables.
  for (const instance of instances) await instance.start()
  const random = new SeededRandom(SEED)
  const ledger = new FileLedger((bound) => random.below(bound))
  const faults = await underLoad(instances, ledger, random)
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
  const left = namesIn(directory).length

  const [first] = instances as [Instance]
  await first.start()
  const listed = await whole(t, first, ledger)
  t.strictSame(ledger.halves(new Set(listed.map(({ name }) => name))), [], 'no form is there in part')
  await later.start()
  await nothingElse(t, later, ledger, directory)

  const kept = ledger.files.filter(({ id }) => id !== null).length
  const removed = ledger.files.filter(({ removal }) => removal === 'acknowledged').length
  t.comment(`${ledger.files.length} sent, ${kept} kept, ${removed} removed, ${ledger.cut} forms cut off`)
  t.comment(`${left} on disk after the last kill, ${namesIn(directory).length} after the purge`)
  t.ok(kept > 40 && removed > 10 && ledger.cut > 0, 'all of it happened')
  t.strictSame(faults, [], 'whatever was listed under load was whole')
  const crashes = all.flatMap((instance) => instance.crashes)
  t.strictSame(crashes, [], 'none ended by itself')
})
