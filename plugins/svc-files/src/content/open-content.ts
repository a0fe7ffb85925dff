/** Chooses where the content is kept: what the application brings, its bucket, or a folder, which is the default. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import { dataPath } from 'svc-kernel/plugin'
import type { FilesConfig, SvcFilesParts } from '../options.ts'
import { DiskContent } from './disk-content.ts'
import type { FileContent } from './file-content.ts'
import { S3Content, type S3Settings } from './s3-content.ts'

/** @throws BootError SVC_FILES_CONTENT for two places, SVC_NOT_INSTALLED */
export function openContent(
  fastify: FastifyInstance,
  { disk, s3 }: FilesConfig,
  { content, s3: client }: SvcFilesParts
): FileContent {
  const places = Object.entries({ disk, s3, 'parts.content': content }).filter(([, place]) => place !== undefined)
  if (places.length > 1) throw new BootError([twoPlaces(places.map(([name]) => name))])
  if (content !== undefined) return content
  if (s3 !== undefined) return new S3Content(s3 as S3Settings, client)
  return new DiskContent(dataPath(fastify, disk?.directory ?? 'data/files'))
}

function twoPlaces(names: readonly string[]) {
  return {
    code: 'SVC_FILES_CONTENT',
    message: 'the content of files has two places',
    at: 'svc-files',
    got: names.join(' and '),
    expected: 'one of them',
    fix: `remove ${names[0]}`
  }
}
