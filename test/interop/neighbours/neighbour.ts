/** What is said of a plugin of the ecosystem, and what must hold where it shares a server with svc plugins. */
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Caller } from './caller.ts'

/** When it is registered: before the svc plugins, after them, or after them in a scope with routes of its own. */
export const ORDERS = ['before', 'after', 'scope'] as const

export type Order = (typeof ORDERS)[number]

/** Loaded by name, so that its types do not change those of every other test. */
// biome-ignore lint/suspicious/noExplicitAny: the options of each plugin are its own
export type Plugin = any

export interface Neighbour {
  /** On npm. */
  readonly name: string
  /** A server that it talks to: its address, or `null` where the machine cannot run one. Ended with the test. */
  service?(t: Test): Promise<string | null>
  /** Further plugins of ours, before the others: the driver of the same database. */
  ours?(fastify: FastifyInstance, given: Given): Promise<unknown>
  /** Options of svc-security that it needs in an order. */
  security?(order: Order): object
  /** What bodies of controllers are described with, where it compiles the schemas of the whole server. */
  readonly body?: unknown
  /** As its documentation registers it; with the option that it needs here, where it needs one. */
  register(scope: FastifyInstance, plugin: Plugin, given: Given): unknown
  /** Routes that use it, below `at`: declared once outside of every zone, once inside of one. */
  routes?(scope: FastifyInstance, at: string): void
  /** What its documentation says, asked of those routes. */
  holds(t: Test, beside: Beside): Promise<void>
  /** For the table: the option that it needs, or what is to be known. */
  readonly note: string
  /** How it does not go: the boot ends, and says how it does. */
  readonly clash?: Clash
}

export interface Given {
  readonly t: Pick<Test, 'teardown' | 'testdir'>
  readonly order: Order
  /** Of its service; empty without one. */
  readonly address: string
}

export interface Clash {
  readonly orders: readonly Order[]
  /** Options of svc-security, where it is not their defaults that it clashes with. */
  security?(): object
  register(scope: FastifyInstance, plugin: Plugin, given: Given): unknown
  readonly says: readonly RegExp[]
}

/** One server with both sides on it, asked from one place. */
export interface Beside {
  /** The folder of its routes: `/open` lies in no zone, `/in` in one, where the caller is logged in. */
  readonly at: string
  readonly caller: Caller
  readonly fastify: FastifyInstance
  readonly order: Order
}
