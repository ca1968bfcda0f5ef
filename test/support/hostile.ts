/** Texts that a page which takes data for markup, script or addresses would stumble over. */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror="window.hurt=1">',
  '"><script>window.hurt=1</script>',
  "'><svg onload=window.hurt=1>",
  '</title></style></textarea><script>window.hurt=1</script>',
  'javascript:window.hurt=1',
  '{{constructor.constructor("window.hurt=1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template would run.
  '${window.hurt=1}',
  '&lt;b&gt;not bold&lt;/b&gt; &#x41;',
  '<a href="javascript:window.hurt=1">x</a>',
  '\u202eesrever \ud83d\ude00',
]

/** All of them at once. */
export const hostile: string = hostileTexts.join(' ')

/** The worst of them, short enough for the name of a queue. */
export const hostileName: string = hostileTexts.slice(0, 3).join(' ')
