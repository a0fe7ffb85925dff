/** A job as administrators see it: values of its body that are named like secrets never leave, nor does its unique key. */
import type { JobCause } from 'svc-kernel'
import { MASK, maskOptions, mayBeSecretName } from 'svc-kernel/plugin'
import type { JobRecord } from './job-record.ts'

/** Unique keys are built from bodies. */
export interface MaskedJob extends Omit<JobRecord, 'key' | 'uniqueKey' | 'cause'> {
  readonly cause: JobCause | null
}

type Whole = JobRecord & Pick<MaskedJob, 'cause'>

/** @param keepsBody `false`: the body is for the work alone, and nothing of it is shown */
export function maskedJob({ key: _key, uniqueKey: _uniqueKey, body, ...job }: Whole, keepsBody: boolean): MaskedJob {
  return { ...job, body: keepsBody ? masked(body) : MASK }
}

/** What has the name of a secret is masked whole; addresses lose their credentials. */
function masked(body: unknown): unknown {
  const named = JSON.stringify(body, (name, value: unknown) => (value !== null && mayBeSecretName(name) ? MASK : value))
  return maskOptions(JSON.parse(named))
}
