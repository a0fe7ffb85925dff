/** What an application may start with: the template, and what a preset lays over it. */
import { nearestName } from 'svc-kernel'
import { CommandError } from '../errors.ts'
import type { TestRunner } from './test-runner.ts'

/** An entity that comes with a preset, as it would be typed. */
export interface PresetEntity {
  readonly name: string
  readonly fields: readonly string[]
}

export interface Preset {
  readonly name: string
  /** Folder below `presets/` whose files are laid over the template; `null` for the template itself. */
  readonly overlay: string | null
  readonly entities: readonly PresetEntity[]
  /** Keys of 32 random bytes that `.env` gets for this machine, so that what they seal outlives a restart. */
  readonly keys: readonly string[]
  /** What its tests run with, unless `--test` says otherwise. */
  readonly test: TestRunner
}

const NOTE: PresetEntity = { name: 'Note', fields: ['title:string', 'body:text?'] }

export const PRESETS: readonly Preset[] = [
  { name: 'minimal', overlay: null, entities: [], keys: [], test: 'node' },
  { name: 'api', overlay: 'api', entities: [NOTE], keys: [], test: 'node' },
  { name: 'full', overlay: 'full', entities: [NOTE], keys: ['SEALING_KEY', 'SVC_WEBHOOK_KEY'], test: 'tap' }
]

/** @throws CommandError SVC_CREATE_PRESET */
export function presetOf(name: string): Preset {
  const found = PRESETS.find((preset) => preset.name === name)
  if (found !== undefined) return found
  const names = PRESETS.map((preset) => preset.name)
  const near = nearestName(name, names)
  throw new CommandError(
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
