import DefaultTheme from 'vitepress/theme'
import './style.css'

// biome-ignore lint/style/noDefaultExport: VitePress reads the theme from there.
export default DefaultTheme
