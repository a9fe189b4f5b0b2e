; The app registers keydesk:// links when it starts. Removing it removes them; an update keeps them.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey HKCU "Software\Classes\keydesk"
  ${endIf}
!macroend
