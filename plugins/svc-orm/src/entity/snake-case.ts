/** Names of entities and fields as databases like them: `BlogPost` is `blog_post`, `HTTPServer2` is `http_server2`. Pure. */

export function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
