/** What cannot be a definition of a job. Pure. */
import type { JobSettings } from 'svc-kernel'
import { optionsSchema } from '../options.ts'
import { isLaneName, LONGEST_LANE } from './lane-name.ts'

const { retries, timeoutS } = optionsSchema.properties
const TEN_YEARS_S = 315_360_000

/** Those that are checked, with the defaults filled in. */
type Checked = Required<Pick<JobSettings, 'retries' | 'timeoutS' | 'uniqueForS' | 'lane'>> & {
  readonly unique: JobSettings['unique'] | undefined
}

/** @returns `null` for one that can be */
export function definitionFault(options: Checked, work: unknown): string | null {
  if (typeof work !== 'function') return 'its work, the third argument, is no function'
  if (!(Number.isInteger(options.retries) && isWithin(options.retries, retries.minimum, retries.maximum)))
    return range('retries', retries.minimum, retries.maximum, options.retries)
  if (!isWithin(options.timeoutS, timeoutS.minimum, timeoutS.maximum))
    return range('timeoutS', timeoutS.minimum, timeoutS.maximum, options.timeoutS)
  if (!isWithin(options.uniqueForS, 0, TEN_YEARS_S)) return range('uniqueForS', 0, TEN_YEARS_S, options.uniqueForS)
  if (!(typeof options.lane === 'function' || isLaneName(options.lane)))
    return `lane is a text of 1 to ${LONGEST_LANE} characters, or a function that makes one of the body`
  if (!(options.unique === undefined || options.unique === true || typeof options.unique === 'function'))
    return 'unique is true, or a function that makes a text of the body'
  return null
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function range(option: string, least: number, most: number, given: unknown): string {
  return `${option} is from ${least} to ${most}, and not ${String(given)}`
}
