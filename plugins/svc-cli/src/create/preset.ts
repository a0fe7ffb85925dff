/** What an application may start with: the template, and what a preset lays over it. */
import { nearestName } from 'svc-kernel/plugin'
import { CommandError } from '../errors.ts'
import type { TestRunner } from './test-runner.ts'

/** An entity that comes with a preset, as it would be typed. */
export interface PresetEntity {
  readonly name: string
  readonly fields: readonly string[]
}

/** Where an application of a preset keeps its data. */
export type PresetDatabase = 'sql' | 'documents'

export interface Preset {
  readonly name: string
  /** Folders below `presets/` whose files are laid over the template, in this order; none for the template itself. */
  readonly overlays: readonly string[]
  /** What `--database` may ask for; the first is the default. */
  readonly databases: readonly PresetDatabase[]
  readonly entities: readonly PresetEntity[]
  /** Keys of 32 random bytes that `.env` gets for this machine, so that what they seal outlives a restart. */
  readonly keys: readonly string[]
  /** What its tests run with, unless `--test` says otherwise. */
  readonly test: TestRunner
}

const NOTE: PresetEntity = { name: 'Note', fields: ['title:string', 'body:text?'] }

const FULL: Omit<Preset, 'overlays'> = {
  name: 'full',
  databases: ['sql', 'documents'],
  entities: [NOTE],
  keys: ['SEALING_KEY', 'SVC_WEBHOOK_KEY'],
  test: 'tap'
}
const SQL: Preset = { ...FULL, overlays: ['full', 'full-sql'] }
const DOCUMENTS: Preset = { ...FULL, overlays: ['full', 'full-documents'] }

const CHOICES: readonly Preset[] = [
  { name: 'minimal', overlays: [], databases: [], entities: [], keys: [], test: 'node' },
  { name: 'api', overlays: ['api'], databases: ['sql'], entities: [NOTE], keys: [], test: 'node' },
  SQL
]

/** Every application that can be created: each preset on each of its databases. */
export const PRESETS: readonly Preset[] = [...CHOICES, DOCUMENTS]

/** @throws CommandError SVC_CREATE_PRESET, SVC_CREATE_DATABASE */
export function presetOf(name: string, database?: PresetDatabase): Preset {
  const found = CHOICES.find((preset) => preset.name === name)
  if (found === undefined) throw unknown(name)
  if (database === undefined || database === found.databases[0]) return found
  if (found.databases.includes(database)) return DOCUMENTS
  throw new CommandError(
    {
      code: 'SVC_CREATE_DATABASE',
      message: `preset ${name} ${found.databases.length === 0 ? 'has no database' : `keeps its data in ${found.databases.join(' or ')}`}`,
      at: '--database',
      got: database,
      expected: found.databases.length === 0 ? 'no --database' : found.databases.join(' | '),
      fix: database === 'documents' ? '--preset full --database documents' : '--preset api'
    },
    2
  )
}

function unknown(name: string): CommandError {
  const names = CHOICES.map((preset) => preset.name)
  const near = nearestName(name, names)
  return new CommandError(
    {
      code: 'SVC_CREATE_PRESET',
      message: `unknown preset "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
      at: '--preset',
      got: name,
      expected: names.join(' | '),
      fix: `--preset ${near ?? 'minimal'}`
    },
    2
  )
}
