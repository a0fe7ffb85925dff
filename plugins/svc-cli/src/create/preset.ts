/** What an application may start with. */
import { nearestName } from 'svc-kernel'
import { CommandError } from '../errors.ts'

export const PRESETS = ['minimal'] as const

/** Announced, so that a person who read of them gets a clear answer. */
const LATER = ['api', 'full']

/** @throws CommandError SVC_CREATE_PRESET */
export function refusePreset(name: string): never {
  const near = nearestName(name, PRESETS)
  const later = LATER.includes(name)
  throw new CommandError(
    {
      code: 'SVC_CREATE_PRESET',
      message: later
        ? `the preset "${name}" comes in a later version`
        : `unknown preset "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}`,
      at: '--preset',
      got: name,
      expected: PRESETS.join(' | '),
      fix: '--preset minimal'
    },
    2
  )
}
