; The installer for Windows: for one person, without an administrator. Compiled by `packaging/dev.py release installer`.
; Defined from outside: VERSION, OUT, BUNDLE, ICON, LICENSE, SIGN (a command that a file's name is put behind), and for
; another version its NAME and its COMPRESSOR.
Unicode true
!ifndef NAME
  !define NAME "Pet Store Desktop"
!endif
!ifndef COMPRESSOR
  !define COMPRESSOR "/SOLID lzma"
!endif
!define ID "petstore-desktop"
!define PROGRAM "petstore-desktop.exe"
!define CONSOLE "petstore-desktop-cli.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
!include "MUI2.nsh"
!include "x64.nsh"
!include "WinVer.nsh"
!include "FileFunc.nsh"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${ID}"
InstallDirRegKey HKCU "Software\${ID}" "InstallDir"
RequestExecutionLevel user
SetCompressor ${COMPRESSOR}
ManifestDPIAware true
!ifdef SIGN
  !finalize '${SIGN} "%1"' = 0
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!insertmacro MUI_PAGE_LICENSE "${LICENSE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Spanish"
!insertmacro MUI_LANGUAGE "PortugueseBR"
!insertmacro MUI_LANGUAGE "Arabic"
!insertmacro MUI_LANGUAGE "Japanese"
LangString RUNNING ${LANG_ENGLISH} "Pet Store Desktop is running. Close it, then choose Retry."
LangString RUNNING ${LANG_GERMAN} "Pet Store Desktop ist geöffnet. Schließen Sie es und wählen Sie dann Wiederholen."
LangString RUNNING ${LANG_FRENCH} "Pet Store Desktop est ouvert. Fermez-le, puis choisissez Réessayer."
LangString RUNNING ${LANG_SPANISH} "Pet Store Desktop está abierto. Ciérrelo y elija Reintentar."
LangString RUNNING ${LANG_PORTUGUESEBR} "O Pet Store Desktop está aberto. Feche-o e escolha Repetir."
LangString RUNNING ${LANG_ARABIC} "‏Pet Store Desktop مفتوح. أغلقه ثم اختر إعادة المحاولة."
LangString RUNNING ${LANG_JAPANESE} "Pet Store Desktop が開いています。閉じてから [再試行] を選んでください。"
LangString TOO_OLD ${LANG_ENGLISH} "Pet Store Desktop needs Windows 10 (64 bits) or later."
LangString TOO_OLD ${LANG_GERMAN} "Pet Store Desktop braucht Windows 10 (64 Bit) oder neuer."
LangString TOO_OLD ${LANG_FRENCH} "Pet Store Desktop nécessite Windows 10 (64 bits) ou une version ultérieure."
LangString TOO_OLD ${LANG_SPANISH} "Pet Store Desktop necesita Windows 10 (64 bits) o posterior."
LangString TOO_OLD ${LANG_PORTUGUESEBR} "O Pet Store Desktop precisa do Windows 10 (64 bits) ou posterior."
LangString TOO_OLD ${LANG_ARABIC} "‏يحتاج Pet Store Desktop إلى Windows 10 ‏(64 بت) أو أحدث."
LangString TOO_OLD ${LANG_JAPANESE} "Pet Store Desktop には Windows 10 (64 ビット) 以降が必要です。"

VIProductVersion "${VERSION}.0"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductName" "${NAME}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileDescription" "${NAME} setup"
VIAddVersionKey /LANG=${LANG_ENGLISH} "CompanyName" "Pet Store Desktop contributors"
VIAddVersionKey /LANG=${LANG_ENGLISH} "LegalCopyright" "Pet Store Desktop contributors, MIT licence"

; Windows locks the file of a program that runs: where it cannot be opened for writing, the person closes the program
; first. Without a person (/S) that ends with exit code 2, and nothing is touched.
!macro WaitUntilClosed UN
  Function ${UN}WaitUntilClosed
    again:
      IfFileExists "$INSTDIR\${PROGRAM}" 0 closed
      ClearErrors
      FileOpen $0 "$INSTDIR\${PROGRAM}" a
      IfErrors running
      FileClose $0
      Goto closed
    running:
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY again
      SetErrorLevel 2
      Quit
    closed:
  FunctionEnd
!macroend
!insertmacro WaitUntilClosed ""
!insertmacro WaitUntilClosed "un."

Function .onInit
  ${IfNot} ${AtLeastWin10}
  ${OrIfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(TOO_OLD)" /SD IDOK
    SetErrorLevel 3
    Quit
  ${EndIf}
FunctionEnd

Section
  Call WaitUntilClosed
  ; An older version goes first: files that the new one lacks must not stay, nor an entry of another name. What people
  ; made is elsewhere.
  ReadRegStr $0 HKCU "${UNINSTALL}" "DisplayName"
  ${If} $0 != "${NAME}"
    Delete "$SMPROGRAMS\$0.lnk"
  ${EndIf}
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}/*"
  WriteRegStr HKCU "Software\${ID}" "InstallDir" "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${PROGRAM}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Pet Store Desktop contributors"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section "Uninstall"
  Call un.WaitUntilClosed
  Delete "$SMPROGRAMS\${NAME}.lnk"
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\${PROGRAM}"
  Delete "$INSTDIR\${CONSOLE}"
  Delete "$INSTDIR\sbom.cdx.json"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\${ID}"
SectionEnd
