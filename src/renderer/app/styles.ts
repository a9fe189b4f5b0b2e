import '@fontsource-variable/inter/standard.css'
import '@fontsource-variable/jetbrains-mono/index.css'
// The library's styles in a layer of their own: ours win whatever order the built files are loaded
// in.
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/dropzone/styles.layer.css'
import './global.css'
