/** State, its last hour, rates and the level of the log, of svc-ops. */
import type { History, Instances, LogLevel, Rates, System } from 'svc-ops/wire'
import { call } from '../../app/api.ts'

export type { Instances, Rates, System }
export type SystemSample = History['samples'][number]

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

const API = '/svc/ops/api'

export const readSystem = () => call<System>('GET', `${API}/system`)
export const readRates = () => call<Rates>('GET', `${API}/rates`)
export const readHistory = async () => (await call<History>('GET', `${API}/history`)).samples
export const readInstances = () => call<Instances>('GET', `${API}/instances`)
export const setLogLevel = (level: string) => call<LogLevel>('PUT', `${API}/log-level`, { level })
